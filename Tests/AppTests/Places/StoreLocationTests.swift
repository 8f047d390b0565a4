import Foundation
import LocalHub
import TestSupport
import Testing

/// Without a config, the store is next to the campaign, regardless of the current folder.
@Suite(.bounded) struct StoreLocationTests {
    /// A remote hub; connections fail immediately.
    private static let distant = [
        "HUBSEND_HUB_CONNECTION_STRING":
            "Endpoint=sb://contoso.invalid/;SharedAccessKeyName=rule;SharedAccessKey=a2V5a2V5",
        "HUBSEND_HUB_NAME": "news", "HUBSEND_HUB_PROXY": "http://127.0.0.1:1",
    ]
    private static let hasty = ["rate: unlimited", "retry: { attempts: 2, for: 2s }"]

    private func workspace(_ files: [String: String]) throws -> Workspace {
        let workspace = try Workspace(files)
        try FileManager.default.removeItem(atPath: workspace.file("hubsend.yaml"))
        return workspace
    }

    private func link(_ path: String, to target: String, in workspace: Workspace) throws {
        try workspace.link(path, to: target)
    }

    private func stores(in workspace: Workspace) throws -> [String] {
        try workspace.listing().filter { $0.hasSuffix(".sqlite") }
    }

    @Test("A campaign is sent once, from whatever folder it is run from")
    func campaignIsSentOnceFromWhateverFolderItIsRunFrom() async throws {
        let workspace = try workspace([
            "nc/a.yaml": Campaigns.secure(), "third/keep.txt": "", "nc/sub/keep.txt": "",
        ])
        try link("alias.yaml", to: "nc/a.yaml", in: workspace)
        try link("third/way", to: "../nc/sub", in: workspace)
        try await HubFixture.run(people: ["alice", "bob"]) { environment, hub in
            // `EffectiveSettingsTests` covers other spellings.
            for (folder, path) in [
                (".", "alias.yaml"), ("third", "way/../a.yaml"), ("/", workspace.file("nc/a.yaml")),
            ] {
                try await Binary.run(
                    ["run", path], in: workspace, from: folder, environment: environment, status: 0)
                #expect(hub.counts.sends == 2, "\(folder) \(path)")
            }
        }
        #expect(try stores(in: workspace) == ["nc/.hubsend/store.sqlite"])
        let reports = try workspace.listing().filter { $0.hasSuffix(".csv") }
        #expect(reports.allSatisfy { $0.hasPrefix("nc/.hubsend/reports/") } && reports.count == 1)
    }

    @Test("The suggested command to continue a run works in any folder")
    func suggestedCommandToContinueARunWorksInAnyFolder() async throws {
        let workspace = try workspace(["nc/a.yaml": Campaigns.secure(delivery: Self.hasty)])
        let command = try await HubFixture.run(fault: { _ in .answer(status: 500) }) {
            environment, _ in
            let run = try await Binary.run(
                ["run", "nc/a.yaml"], in: workspace, environment: environment, status: 75)
            let said = try #require(run.complaints.range(of: "/hubsend resume "))
            return String(run.complaints[said.upperBound...].prefix { $0 != "\n" })
        }
        try await HubFixture.run(people: ["alice", "bob"]) { environment, hub in
            let resume = try await Binary.start(
                ["-c", "exec \"$0\" resume \(command)", Binary.path], of: "/bin/sh", in: workspace,
                from: "/", environment: environment)
            try await resume.end(0)
            #expect(hub.counts.sends == 2)
        }
        let reports = try workspace.listing().filter { $0.hasSuffix(".csv") }
        #expect(reports.allSatisfy { $0.hasPrefix("nc/.hubsend/reports/") } && reports.count == 1)
    }

    @Test("A remote hub requires a config or an explicit store")
    func remoteHubRequiresAConfigOrAnExplicitStore() async throws {
        let workspace = try workspace(["a.yaml": Campaigns.secure(delivery: Self.hasty)])
        let before = try workspace.listing()
        let refused = try await Binary.run(
            ["run", "a.yaml"], in: workspace, environment: Self.distant, status: 2)
        for words in ["contoso.invalid", "hubsend.yaml", "--store", "nothing is sent"] {
            #expect(refused.complaints.contains(words), "\(refused.complaints)")
        }
        #expect(try workspace.listing() == before, "nothing is stored")
        try await Binary.run(
            ["run", "a.yaml", "--store", ".hubsend/store.sqlite"], in: workspace,
            environment: Self.distant, status: 75)
        let runs = try await Binary.run(["runs", "--format", "json"], in: workspace)
        let all = try runs.output.objects()
        let id = try #require(all.first?["run"] as? String)
        let resume = try await Binary.run(
            ["resume", id], in: workspace, environment: Self.distant, status: 2)
        #expect(resume.complaints.contains("says where the store is"), "\(resume.complaints)")
    }

    @Test("A campaign from standard input can be sent only with an explicit store")
    func campaignFromStandardInputCanBeSentOnlyWithAnExplicitStore() async throws {
        let workspace = try workspace([:])
        let campaign = Campaigns.secure()
        try await HubFixture.run(people: ["alice", "bob"]) { environment, hub in
            for command in ["validate", "preview"] {
                try await Binary.run(
                    [command, "-"], in: workspace, environment: environment, input: campaign,
                    status: 0)
            }
            let refused = try await Binary.run(
                ["run", "-"], in: workspace, environment: environment, input: campaign, status: 2)
            #expect(refused.complaints.contains("standard input"), "\(refused.complaints)")
            #expect(refused.complaints.contains("--store"), "\(refused.complaints)")
            #expect(hub.counts.sends == 0)
            #expect(try workspace.listing() == ["devices.yaml"])
            try await Binary.run(
                ["run", "-"], in: workspace,
                environment: environment.merging(["HUBSEND_STORE": "kept/store.sqlite"]) { $1 },
                input: campaign, status: 0)
            #expect(hub.counts.sends == 2)
        }
        let files = try workspace.listing()
        #expect(files.filter { $0.hasSuffix(".sqlite") } == ["kept/store.sqlite"])
        #expect(files.count { $0.hasPrefix("kept/reports/") } == 1, "\(files)")
    }

    @Test(
        "Without a store, the message says where it was expected and what to do",
        arguments: [
            ["runs"], ["report"], ["stop", "--all"], ["payload", "list"], ["payload", "purge"],
        ])
    func withoutAStoreTheMessageSaysWhereItWasExpectedAndWhatToDo(arguments: [String]) async throws
    {
        let workspace = try workspace(["sub/keep.txt": ""])
        let result = try await Binary.run(arguments, in: workspace, from: "sub", status: 2)
        for words in [
            workspace.file("sub/.hubsend/store.sqlite"), "in the campaign's folder", "--config",
            "--store",
        ] {
            #expect(result.complaints.contains(words), "\(result.complaints)")
        }
        #expect(try workspace.listing() == ["devices.yaml", "sub", "sub/keep.txt"])
    }

    /// Kubernetes updates a volume's files by pointing a link at another folder.
    @Test("The next version of a mounted volume uses the same store")
    func nextVersionOfAMountedVolumeUsesTheSameStore() async throws {
        let workspace = try workspace([
            "data/..2026_11_22/a.yaml": Campaigns.secure(),
            "data/..2026_11_23/a.yaml": Campaigns.secure(),
        ])
        try link("data/a.yaml", to: "..data/a.yaml", in: workspace)
        try await HubFixture.run(people: ["alice", "bob"]) { environment, hub in
            for state in ["..2026_11_22", "..2026_11_23"] {
                try link("data/..new", to: state, in: workspace)
                _ = unsafe rename(workspace.file("data/..new"), workspace.file("data/..data"))
                try await Binary.run(
                    ["run", "data/a.yaml"], in: workspace, environment: environment, status: 0)
                #expect(hub.counts.sends == 2, "\(state)")
            }
        }
        #expect(try stores(in: workspace) == ["data/.hubsend/store.sqlite"])
    }
}
