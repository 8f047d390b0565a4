import Foundation
import Glibc
import LocalHub
import TestSupport
import Testing

/// The config is the nearest one in or above the campaign's folder, regardless of the current
/// folder.
@Suite(.bounded) struct ConfigLocationTests {
    private func stores(in workspace: Workspace) throws -> [String] {
        try workspace.listing().filter { $0.hasSuffix(".sqlite") }
    }

    @Test("A campaign below a config is sent once, from whatever folder it is run from")
    func campaignBelowAConfigIsSentOnceFromWhateverFolderItIsRunFrom() async throws {
        let workspace = try Workspace([
            "teams/shop/a.yaml": Campaigns.secure(), "third/keep.txt": "",
        ])
        try await HubFixture.run(people: ["alice", "bob"]) { environment, hub in
            for (folder, path) in [
                ("teams/shop", "a.yaml"), ("third", "../teams/shop/a.yaml"),
            ] {
                try await Binary.run(
                    ["run", path], in: workspace, from: folder, environment: environment, status: 0)
                #expect(hub.counts.sends == 2, "\(folder)")
            }
        }
        #expect(try stores(in: workspace) == [".hubsend/store.sqlite"])
    }

    /// Cron has almost no variables, and starts in the home folder.
    @Test("Cron needs only the config above the campaign")
    func cronNeedsOnlyTheConfigAboveTheCampaign() async throws {
        let workspace = try Workspace([
            "push/teams/a.yaml": Campaigns.secure(), "home/keep.txt": "",
        ])
        try await HubFixture.run(people: ["alice", "bob"]) { environment, hub in
            let string = try #require(environment["HUBSEND_HUB_CONNECTION_STRING"])
            let name = try #require(environment["HUBSEND_HUB_NAME"])
            try workspace.write(
                "hub: { connection_string: \"\(string)\", name: \(name) }\n",
                to: "push/hubsend.yaml")
            for (count, folder) in ["/", "home"].enumerated() {
                let result = try await Binary.run(
                    ["run", workspace.file("push/teams/a.yaml")], in: workspace, from: folder,
                    environment: ["HOME": workspace.file("home")], status: 0)
                if count == 0 { #expect(result.complaints.isEmpty, "\(result.complaints)") }
                #expect(result.output.isEmpty)
                #expect(hub.counts.sends == 2, "\(folder)")
            }
        }
        #expect(try stores(in: workspace) == ["push/.hubsend/store.sqlite"])
    }

    @Test("Commands without a campaign search from the current folder upwards")
    func commandsWithoutACampaignSearchFromTheCurrentFolderUpwards() async throws {
        let workspace = try await SentFiles.notice()
        try workspace.write("", to: "deep/deeper/keep.txt")
        for arguments in [["runs"], ["report", "--format", "text"], ["payload", "list"]] {
            let result = try await Binary.run(
                arguments, in: workspace, from: "deep/deeper", status: 0)
            #expect(result.output.contains("notice"), "\(result.output)")
        }
    }

    /// In /tmp, for example, anybody can put a config above other people's folders.
    @Test(
        "Root refuses another user's config above the campaign",
        .enabled(if: geteuid() == 0))
    func rootRefusesAnotherUsersConfigAboveTheCampaign() async throws {
        let workspace = try Workspace(["sub/a.yaml": Campaigns.secure()])
        try workspace.give(["hubsend.yaml"], to: 1)
        let result = try await Binary.run(["run", "sub/a.yaml"], in: workspace, status: 2)
        #expect(result.complaints.contains("belongs to the user "), "\(result.complaints)")
        #expect(try stores(in: workspace).isEmpty)
    }

    @Test("The config must belong to the owner of every campaign", .enabled(if: geteuid() == 0))
    func configMustBelongToTheOwnerOfEveryCampaign() async throws {
        let workspace = try Workspace([
            "theirs/a.yaml": Campaigns.secure("a"), "sub/b.yaml": Campaigns.secure("b"),
        ])
        try workspace.give(["hubsend.yaml", "theirs"], to: 1)
        for campaigns in [["theirs/a.yaml", "sub/b.yaml"], ["sub/b.yaml", "theirs/a.yaml"]] {
            let result = try await Binary.run(["run"] + campaigns, in: workspace, status: 2)
            #expect(result.complaints.contains("belongs to the user "), "\(result.complaints)")
        }
        #expect(try stores(in: workspace).isEmpty)
    }

    @Test("Root refuses another user's config in a shared folder", .enabled(if: geteuid() == 0))
    func rootRefusesAnotherUsersConfigInASharedFolder() async throws {
        let workspace = try Workspace(["all/a.yaml": Campaigns.secure()])
        try workspace.write("store: theirs.sqlite\n", to: "all/hubsend.yaml")
        try workspace.give(["all/hubsend.yaml"], to: 1)
        try workspace.setMode(0o1777, of: "all")
        for (arguments, folder) in [(["run", "all/a.yaml"], "."), (["runs"], "all")] {
            let result = try await Binary.run(arguments, in: workspace, from: folder, status: 2)
            #expect(result.complaints.contains("belongs to the user "), "\(result.complaints)")
        }
    }
}
