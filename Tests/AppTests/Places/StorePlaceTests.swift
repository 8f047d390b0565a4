import Foundation
import LocalHub
import TestSupport
import Testing

/// Without a config, a campaign's store is next to it, wherever the caller is.
@Suite(.bounded) struct StorePlaceTests {
    /// A remote hub; connections fail at once.
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
        try FileManager.default.createSymbolicLink(
            atPath: workspace.file(path), withDestinationPath: target)
    }

    private func stores(in workspace: Workspace) throws -> [String] {
        try workspace.listing().filter { $0.hasSuffix(".sqlite") }
    }

    @Test func aCampaignIsSentOnceFromWhereverItIsCalled() async throws {
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
                let result = try await Binary.run(
                    ["run", path], in: workspace, from: folder, environment: environment)
                #expect(result.status == 0, "\(folder) \(path): \(result.complaints)")
                #expect(hub.counts.sends == 2, "\(folder) \(path)")
            }
        }
        #expect(try stores(in: workspace) == ["nc/.hubsend/store.sqlite"])
        let reports = try workspace.listing().filter { $0.hasSuffix(".csv") }
        #expect(reports.allSatisfy { $0.hasPrefix("nc/.hubsend/reports/") } && reports.count == 1)
    }

    @Test(.enabled(if: InstalledTool.areThere("setsid")))
    func onATerminalToo() async throws {
        let workspace = try workspace(["nc/a.yaml": Campaigns.secure()])
        try await HubFixture.run(people: ["alice", "bob"]) { environment, hub in
            for (folder, path) in [(".", "nc/a.yaml"), ("nc", "a.yaml")] {
                let terminal = try PseudoTerminal()
                defer { withExtendedLifetime(terminal) {} }
                let script =
                    #"exec setsid --ctty --wait "$0" run "$1" <"$TERMINAL" 2>"$TERMINAL""#
                let run = try await Binary.start(
                    ["-c", script, Binary.path, path], of: "/bin/sh", in: workspace, from: folder,
                    environment: environment.merging(["TERMINAL": terminal.path]) { $1 })
                #expect(try await run.result().status == 0)
                #expect(hub.counts.sends == 2)
            }
        }
    }

    @Test func theCommandToContinueWorksInAnyFolder() async throws {
        let workspace = try workspace(["nc/a.yaml": Campaigns.secure(delivery: Self.hasty)])
        let command = try await HubFixture.run(fault: { _ in .answer(status: 500) }) {
            environment, _ in
            let run = try await Binary.run(
                ["run", "nc/a.yaml"], in: workspace, environment: environment)
            #expect(run.status == 75, "\(run.complaints)")
            let said = try #require(run.complaints.range(of: "/hubsend resume "))
            return String(run.complaints[said.upperBound...].prefix { $0 != "\n" })
        }
        try await HubFixture.run(people: ["alice", "bob"]) { environment, hub in
            let resume = try await Binary.start(
                ["-c", "exec \"$0\" resume \(command)", Binary.path], of: "/bin/sh", in: workspace,
                from: "/", environment: environment)
            let result = try await resume.result()
            #expect(result.status == 0, "\(command): \(result.complaints)")
            #expect(hub.counts.sends == 2)
        }
        let reports = try workspace.listing().filter { $0.hasSuffix(".csv") }
        #expect(reports.allSatisfy { $0.hasPrefix("nc/.hubsend/reports/") } && reports.count == 1)
    }

    @Test func aHubElsewhereNeedsAConfigOrANamedStore() async throws {
        let workspace = try workspace(["a.yaml": Campaigns.secure(delivery: Self.hasty)])
        let before = try workspace.listing()
        let refused = try await Binary.run(
            ["run", "a.yaml"], in: workspace, environment: Self.distant)
        #expect(refused.status == 2, "\(refused.complaints)")
        for words in ["contoso.invalid", "hubsend.yaml", "--store", "nothing is sent"] {
            #expect(refused.complaints.contains(words), "\(refused.complaints)")
        }
        #expect(try workspace.listing() == before, "nothing is stored")
        let named = try await Binary.run(
            ["run", "a.yaml", "--store", ".hubsend/store.sqlite"], in: workspace,
            environment: Self.distant)
        #expect(named.status == 75, "\(named.complaints)")
        let runs = try await Binary.run(["runs", "--format", "json"], in: workspace)
        let all = try #require(
            JSONSerialization.jsonObject(with: Data(runs.output.utf8)) as? [[String: Any]])
        let id = try #require(all.first?["run"] as? String)
        let resume = try await Binary.run(
            ["resume", id], in: workspace, environment: Self.distant)
        #expect(resume.status == 2, "\(resume.complaints)")
        #expect(resume.complaints.contains("says where the store is"), "\(resume.complaints)")
    }

    /// `EffectiveSettingsTests` shows that naming a store is enough.
    @Test func campaignsOfDifferentFoldersNeedOneNamedStore() async throws {
        let workspace = try workspace([
            "a/a.yaml": Campaigns.secure("a"), "b/b.yaml": Campaigns.secure("b"),
        ])
        try await HubFixture.run(people: ["alice", "bob"]) { environment, hub in
            let refused = try await Binary.run(
                ["run", "a/a.yaml", "b/b.yaml"], in: workspace, environment: environment)
            #expect(refused.status == 2, "\(refused.complaints)")
            for words in [workspace.file("a"), workspace.file("b"), "--store", "hubsend.yaml"] {
                #expect(refused.complaints.contains(words), "\(refused.complaints)")
            }
            #expect(hub.counts.sends == 0)
            #expect(try stores(in: workspace).isEmpty)
        }
    }

    @Test func aCampaignFromStandardInputNeedsANamedStoreToBeSent() async throws {
        let workspace = try workspace([:])
        let campaign = Campaigns.secure()
        try await HubFixture.run(people: ["alice", "bob"]) { environment, hub in
            for command in ["validate", "preview"] {
                let result = try await Binary.run(
                    [command, "-"], in: workspace, environment: environment, input: campaign)
                #expect(result.status == 0, "\(result.output)\(result.complaints)")
            }
            let refused = try await Binary.run(
                ["run", "-"], in: workspace, environment: environment, input: campaign)
            #expect(refused.status == 2, "\(refused.complaints)")
            #expect(refused.complaints.contains("standard input"), "\(refused.complaints)")
            #expect(refused.complaints.contains("--store"), "\(refused.complaints)")
            #expect(hub.counts.sends == 0)
            #expect(try workspace.listing() == ["devices.yaml"])
            let named = try await Binary.run(
                ["run", "-"], in: workspace,
                environment: environment.merging(["HUBSEND_STORE": "kept/store.sqlite"]) { $1 },
                input: campaign)
            #expect(named.status == 0, "\(named.complaints)")
            #expect(hub.counts.sends == 2)
        }
        let files = try workspace.listing()
        #expect(files.filter { $0.hasSuffix(".sqlite") } == ["kept/store.sqlite"])
        #expect(files.count { $0.hasPrefix("kept/reports/") } == 1, "\(files)")
    }

    @Test(arguments: [
        ["runs"], ["report"], ["stop", "--all"], ["payload", "list"], ["payload", "purge"],
    ])
    func whereNoStoreIsItIsSaidWhereItWasLookedForAndWhatToDo(arguments: [String]) async throws {
        let workspace = try workspace(["sub/keep.txt": ""])
        let result = try await Binary.run(arguments, in: workspace, from: "sub")
        #expect(result.status == 2)
        for words in [
            workspace.file("sub/.hubsend/store.sqlite"), "in the campaign's folder", "--config",
            "--store",
        ] {
            #expect(result.complaints.contains(words), "\(result.complaints)")
        }
        #expect(try workspace.listing() == ["devices.yaml", "sub", "sub/keep.txt"])
    }

    /// The first test shows that both share one store otherwise.
    @Test func aLinkToAFileWithAnotherConfigIsRefused() async throws {
        let workspace = try workspace([
            "sub/a.yaml": Campaigns.secure(), "sub/hubsend.yaml": "store: other.sqlite\n",
        ])
        try link("alias.yaml", to: "sub/a.yaml", in: workspace)
        try await HubFixture.run(people: ["alice", "bob"]) { environment, hub in
            let result = try await Binary.run(
                ["run", "alias.yaml"], in: workspace, environment: environment)
            #expect(result.status == 2, "\(result.complaints)")
            #expect(result.complaints.contains("Name that file: \(workspace.file("sub/a.yaml"))"))
            #expect(hub.counts.sends == 0)
        }
        #expect(try stores(in: workspace).isEmpty)
    }

    /// As in deployments that point a link at their newest folder.
    @Test func aConfigNamedByWayOfALinkLeadsToTheSameStore() async throws {
        let workspace = try workspace([
            "releases/1/a.yaml": Campaigns.secure(), "releases/1/sub/keep.txt": "",
            "releases/1/hubsend.yaml": "store: ../shared/store.sqlite\n",
        ])
        try link("current", to: "releases/1", in: workspace)
        try link("inner", to: "releases/1/sub", in: workspace)
        try await HubFixture.run(people: ["alice", "bob"]) { environment, hub in
            // `EffectiveSettingsTests` covers other ways to name it.
            for arguments in [
                ["current/a.yaml"], ["inner/../a.yaml", "--config", "inner/../hubsend.yaml"],
            ] {
                let result = try await Binary.run(
                    ["run"] + arguments, in: workspace, environment: environment)
                #expect(result.status == 0, "\(arguments): \(result.complaints)")
                #expect(hub.counts.sends == 2, "\(arguments)")
            }
        }
        #expect(try stores(in: workspace) == ["releases/shared/store.sqlite"])
    }

    /// Kubernetes updates a volume's files by pointing a link at another folder.
    @Test func theNextStateOfAMountedVolumeHasTheSameStore() async throws {
        let workspace = try workspace([
            "data/..2026_11_22/a.yaml": Campaigns.secure(),
            "data/..2026_11_23/a.yaml": Campaigns.secure(),
        ])
        try link("data/a.yaml", to: "..data/a.yaml", in: workspace)
        try await HubFixture.run(people: ["alice", "bob"]) { environment, hub in
            for state in ["..2026_11_22", "..2026_11_23"] {
                try link("data/..new", to: state, in: workspace)
                _ = unsafe rename(workspace.file("data/..new"), workspace.file("data/..data"))
                let result = try await Binary.run(
                    ["run", "data/a.yaml"], in: workspace, environment: environment)
                #expect(result.status == 0, "\(result.complaints)")
                #expect(hub.counts.sends == 2, "\(state)")
            }
        }
        #expect(try stores(in: workspace) == ["data/.hubsend/store.sqlite"])
    }
}
