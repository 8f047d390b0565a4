import Foundation
import TestSupport
import Testing

/// Gives real files the owners and permissions that container platforms and systemd give them.
@Suite(.bounded) struct PlatformMountTests {
    private static let isRoot = geteuid() == 0 && InstalledTool.areThere("setpriv", "python3")

    /// Runs hubsend as another user, using setpriv(1).
    private func run(
        as user: [String], _ arguments: [String], in workspace: Workspace,
        environment: [String: String] = [:], status: Int32
    ) async throws -> ChildProcess.Result {
        try await Binary.start(
            user + [Binary.path] + arguments, of: "/usr/bin/setpriv", in: workspace,
            environment: environment.merging(["KUBERNETES_SERVICE_HOST": "10.0.0.1"]) { $1 }
        ).end(status)
    }

    /// Makes all files of a volume writable for a group, as the kubelet does at each mount.
    private func mount(_ workspace: Workspace, forGroup group: UInt32) throws {
        try workspace.give(to: UInt32.max, group)
        for path in try [""] + workspace.listing() {
            let isFolder = URL(
                filePath: workspace.file(path), directoryHint: .checkFileSystem
            ).hasDirectoryPath
            try workspace.setMode(isFolder ? 0o2770 : 0o660, of: path)
        }
    }

    private func mode(_ path: String) throws -> Int? {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        return (attributes[.posixPermissions] as? NSNumber)?.intValue
    }

    @Test(
        "A volume for the pod's group can be used, and its store is made private again",
        .enabled(if: isRoot))
    func volumeForThePodsGroupCanBeUsedAndItsStoreIsMadePrivateAgain() async throws {
        let workspace = try Workspace([
            "one.yaml": Campaigns.secure("one"), "two.yaml": Campaigns.secure("two"),
        ])
        try workspace.give(to: 10_001, 10_001)
        let pod = ["--reuid=10001", "--regid=10001", "--groups=2000"]
        _ = try await run(as: pod, ["run", "one.yaml"], in: workspace, status: 0)
        _ = try await run(
            as: pod, ["forget", "carol", "--local", "--yes"], in: workspace, status: 0)
        let store = workspace.file(".hubsend/store.sqlite")
        for _ in 0..<2 {
            try mount(workspace, forGroup: 2_000)
            _ = try await run(as: pod, ["run", "two.yaml"], in: workspace, status: 0)
            #expect(try mode(store) == 0o600)
        }
        // A group that may have other members is still refused.
        try mount(workspace, forGroup: 100)
        let shared = try await run(
            as: ["--reuid=10001", "--regid=10001", "--groups=100"], ["runs"], in: workspace,
            status: 2)
        #expect(shared.complaints.contains("can be written by others"), "\(shared.complaints)")
    }

    @Test(
        "A random user in group 0 can use a volume and is shown by number",
        .enabled(if: isRoot))
    func randomUserInGroup0CanUseAVolumeAndIsShownByNumber() async throws {
        let workspace = try Workspace(["notice.yaml": Campaigns.secure()])
        try workspace.give(to: 1_000_940_000, 0)
        try mount(workspace, forGroup: 0)
        let user = ["--reuid=1000940000", "--regid=0", "--clear-groups"]
        for _ in 0..<2 {
            _ = try await run(as: user, ["run", "notice.yaml"], in: workspace, status: 0)
            try mount(workspace, forGroup: 0)
        }
        try workspace.give(["hubsend.yaml"], to: 1, 0)
        let refused = try await run(as: user, ["run", "notice.yaml"], in: workspace, status: 2)
        #expect(
            refused.complaints.contains(
                "belongs to the user daemon, not to you (1000940000) or root"),
            "\(refused.complaints)")
    }

    /// A volume as Kubernetes lays it out: a folder for its content, and links.
    private func volume(_ name: String, _ files: [String: String], in workspace: Workspace) throws {
        for (file, text) in files { try workspace.write(text, to: "\(name)/..2026_11_28/\(file)") }
        let links = Set(files.keys.map { String($0.prefix { $0 != "/" }) })
        for (link, target) in [("..data", "..2026_11_28")] + links.map({ ($0, "..data/\($0)") }) {
            try workspace.link("\(name)/\(link)", to: target)
        }
    }

    @Test("A campaign from a ConfigMap reaches people from a Secret")
    func campaignFromAConfigMapReachesPeopleFromASecret() async throws {
        let workspace = try Workspace()
        let campaign = """
            campaign: mounted
            kind: secure
            platforms: [apns]
            audience:
              files: ["export:people.csv"]
              exclude: { files: [out.txt] }
            payload: { file: letter.txt }
            """
        try volume(
            "campaigns",
            [
                "hubsend.yaml": "hub: { local: devices.yaml }\n", "team/mounted.yaml": campaign,
                "devices.yaml": "devices: [{ user: alice, platform: apns }]\n",
                "team/out.txt": "bob\n", "team/letter.txt": "Hello",
            ], in: workspace)
        try volume("people", ["people.csv": "username\nalice\nbob\n"], in: workspace)
        let environment = [
            "HUBSEND_AUDIENCES": workspace.file("people"),
            "HUBSEND_STORE": workspace.file("volume/store.sqlite"),
            "HUBSEND_REPORTS": workspace.file("volume/reports"),
        ]
        try await Binary.run(
            ["validate", "campaigns"], in: workspace, environment: environment, status: 0)
        let sent = try await Binary.run(
            ["run", "campaigns/team/mounted.yaml", "--json"], in: workspace,
            environment: environment, status: 0)
        #expect(sent.output.contains(#""recipients":1"#), "\(sent.output)")
    }

    @Test(
        "A mounted secret is accepted only where container platforms mount secrets",
        .enabled(if: InstalledTool.areThere("unshare", "mount")))
    func mountedSecretIsAcceptedOnlyWhereContainerPlatformsMount() async throws {
        let workspace = try Workspace(["notice.yaml": Campaigns.secure()])
        try await HubFixture.run(people: ["alice", "bob"]) { environment, _ in
            let script = """
                mount -t tmpfs none /run
                mkdir /run/secrets /run/elsewhere
                printf %s "$STRING" | tee /run/secrets/hub >/run/elsewhere/hub
                chmod 444 /run/secrets/hub /run/elsewhere/hub
                export HUBSEND_HUB_CONNECTION_STRING_FILE
                try() {
                    HUBSEND_HUB_CONNECTION_STRING_FILE=$1
                    "$HUBSEND" run notice.yaml 2>&1 && echo "== 0" || echo "== $?"
                }
                try /run/secrets/hub
                try /run/elsewhere/hub
                touch /run/.containerenv
                mount -o remount,ro /run
                try /run/secrets/hub
                try /run/elsewhere/hub
                """
            let result = try await Binary.start(
                ["--map-root-user", "--mount", "sh", "-ec", script],
                of: try #require(InstalledTool.path(of: "unshare")), in: workspace,
                environment: [
                    "STRING": environment["HUBSEND_HUB_CONNECTION_STRING"] ?? "",
                    "HUBSEND_HUB_NAME": environment["HUBSEND_HUB_NAME"] ?? "",
                    "HUBSEND": Binary.path,
                    "HUBSEND_STORE": workspace.file("store.sqlite"),
                ]
            ).result()
            let answers = result.output.split(separator: "== ").map(String.init)
            // Each part consists of the exit code of a call and the output of the next call.
            let codes = answers.compactMap { Int(String($0.prefix { $0 != "\n" })) }
            #expect(codes == [0, 2, 0, 2], "\(result.output)\(result.complaints)")
            guard codes.count == 4 else { return }
            let (open, mounted) = (answers[answers.count - 4], answers[answers.count - 2])
            #expect(open.contains("Run: chmod 600 /run/elsewhere/hub"), "\(open)")
            #expect(mounted.contains("mount it below /run/secrets"), "\(mounted)")
            #expect(!mounted.contains("chmod"), "\(mounted)")
        }
    }

    /// systemd gives a service files that root owns, with an access control list for the service's
    /// user.
    @Test(
        "A secret file can have an access control list that names only this user",
        .enabled(if: isRoot))
    func secretFileCanHaveAnAccessControlListThatNamesOnlyThisUser() async throws {
        let workspace = try Workspace(["notice.yaml": Campaigns.secure()])
        try workspace.give(to: 10_001, 10_001)
        let credentials = try TemporaryFolder()
        let user = ["--reuid=10001", "--regid=10001", "--clear-groups"]
        try await HubFixture.run(people: ["alice", "bob"]) { environment, _ in
            var environment = environment
            let string = environment.removeValue(forKey: "HUBSEND_HUB_CONNECTION_STRING") ?? ""
            let file = try credentials.write(string, to: "hub", mode: 0o400)
            environment["HUBSEND_HUB_CONNECTION_STRING_FILE"] = file
            let setting = """
                import os, struct, sys
                none = 0xFFFFFFFF
                users = [(2, 4, int(number)) for number in sys.argv[2:]]
                entries = [(1, 4, none), *users, (4, 0, none), (16, 4, none), (32, 0, none)]
                value = struct.pack("<I", 2) + b"".join(struct.pack("<HHI", *e) for e in entries)
                os.setxattr(sys.argv[1], "system.posix_acl_access", value)
                """
            for (users, extra, status) in [
                (["10001"], [:], 0), (["10001", "10002"], [:], 2),
                (["10001", "10002"], ["CREDENTIALS_DIRECTORY": credentials.path], 0),
            ] as [([String], [String: String], Int32)] {
                try await Binary.start(
                    ["-c", setting, file] + users,
                    of: try #require(InstalledTool.path(of: "python3")), in: workspace
                ).end(0)
                let result = try await run(
                    as: user, ["run", "notice.yaml"], in: workspace,
                    environment: environment.merging(extra) { $1 }, status: status)
                #expect(!result.complaints.contains("chmod"), "\(result.complaints)")
            }
        }
    }

    @Test(
        "A signal ends a command that runs as process 1 of a container",
        .enabled(if: InstalledTool.areThere("unshare", "mkfifo")),
        arguments: [("TERM", 143), ("INT", 130), ("HUP", 143)] as [(String, Int32)])
    func signalEndsACommandThatRunsAsProcess1OfAContainer(signal: String, status: Int32)
        async throws
    {
        let workspace = try Workspace()
        // The shell can write more than a pipe holds only once hubsend is reading and has installed
        // its handlers. A shell makes background programs ignore SIGINT, and nohup makes them
        // ignore SIGHUP.
        let script = """
            mkfifo input
            exec 3<>input
            env --default-signal unshare --map-root-user --pid --fork "$HUBSEND" validate - <input 3<&- &
            head -c 100000 /dev/zero | tr '\\0' '#' >&3
            kill -\(signal) $(cat /proc/$!/task/$!/children)
            wait $!
            """
        try await Binary.start(
            ["-c", script], of: "/bin/sh", in: workspace, environment: ["HUBSEND": Binary.path]
        ).end(status)
    }
}
