import Foundation
import TestSupport
import Testing

/// Campaigns and configs that are links: what lies elsewhere is neither read nor shown.
@Suite(.bounded) struct LinkTests {
    private static let secrets = [
        "DB_PASSWORD=correct-horse\n", "db.example:5432:shop:alice:correct-horse\n",
        "{\"user\":\"alice\",\"password\":\"correct-horse\"}\n", "correct-horse\n",
        "kind: Secret\ndata: { value: correct-horse }\n", "\tcorrect-horse: [\n",
    ]

    /// A folder `repository` beside a secret, with a link to it.
    private func workspace(
        _ secret: String, link: String = "x.yaml", config: String? = nil
    ) throws -> Workspace {
        let workspace = try Workspace(["secret.txt": secret, "repository/keep.txt": ""])
        if let config { try workspace.write(config, to: "repository/hubsend.yaml") }
        try FileManager.default.createSymbolicLink(
            atPath: workspace.file("repository/" + link), withDestinationPath: "../secret.txt")
        return workspace
    }

    @Test(arguments: secrets)
    func aLinkOutOfTheFolderIsRefusedAndNothingOfItsTargetShown(secret: String) async throws {
        let workspace = try workspace(secret, config: "hub: { local: ../devices.yaml }\n")
        let commands = [
            (["validate", "repository"], Int32(1)), (["validate", "repository/x.yaml"], 2),
            (["preview", "repository/x.yaml"], 2), (["run", "repository/x.yaml"], 2),
        ]
        for (arguments, status) in commands {
            let result = try await Binary.run(arguments, in: workspace)
            let said = result.output + result.complaints
            #expect(result.status == status, "\(arguments): \(said)")
            #expect(said.contains("\"repository/x.yaml\" is a link"), "\(said)")
            #expect(said.contains(workspace.file("secret.txt")), "it says what to name instead")
            #expect(!said.contains("horse"), "\(said)")
        }
    }

    @Test(arguments: secrets)
    func nothingOfAFileThatIsNoneOfOursIsShown(secret: String) async throws {
        let workspace = try workspace(secret)
        for format in ["text", "json"] {
            let result = try await Binary.run(
                ["validate", "--format", format, "secret.txt"], in: workspace)
            #expect(result.status == 1)
            let said = result.output + result.complaints
            #expect(said.contains("secret.txt"), "\(said)")
            // The name of a key that nobody knows is all that is repeated.
            #expect(!said.contains("| "), "\(said)")
            if !secret.hasPrefix("\t") { #expect(!said.contains("horse"), "\(said)") }
        }
    }

    @Test func theRealPathOfALinksTargetIsRead() async throws {
        let workspace = try workspace(Campaigns.secure())
        let linked = try await Binary.run(["validate", "repository/x.yaml"], in: workspace)
        // The config is the one above it, whose folder has both.
        #expect(linked.status == 0, "\(linked.output)\(linked.complaints)")
        let real = try await Binary.run(
            ["validate", workspace.file("secret.txt")], in: workspace)
        #expect(real.status == 0, "\(real.output)\(real.complaints)")
    }

    @Test func aConfigThatLeadsOutOfItsFolderIsRefusedFoundOrNamed() async throws {
        let workspace = try workspace("DB_PASSWORD=horse\n", link: "hubsend.yaml")
        try workspace.write(Campaigns.secure(), to: "repository/notice.yaml")
        let found = try await Binary.run(["validate", "repository"], in: workspace)
        let named = try await Binary.run(
            ["runs", "--config", "repository/hubsend.yaml"], in: workspace)
        let variable = try await Binary.run(
            ["runs"], in: workspace, environment: ["HUBSEND_CONFIG": "repository/hubsend.yaml"])
        #expect([found.status, named.status, variable.status] == [1, 2, 2])
        for result in [found, named, variable] {
            let said = result.output + result.complaints
            #expect(said.contains("repository/hubsend.yaml\" is a link"), "\(said)")
            #expect(!said.contains("horse"), "\(said)")
        }
    }

    @Test func aDevicesFileMayBeALinkThatStaysBeneathTheConfigsFolder() async throws {
        let devices = "devices: [{ user: alice, platform: apns }]\n"
        let workspace = try Workspace([
            "repository/notice.yaml": Campaigns.secure(to: ["alice"]),
            "repository/etc/devices.yaml": devices, "repository/conf/keep.txt": "",
            "devices.yaml": devices,
        ])
        for (target, status) in [("../../devices.yaml", Int32(2)), ("../etc/devices.yaml", 0)] {
            let name = status == 0 ? "inside.yaml" : "outside.yaml"
            try workspace.write("hub: { local: conf/\(name) }\n", to: "repository/hubsend.yaml")
            try FileManager.default.createSymbolicLink(
                atPath: workspace.file("repository/conf/" + name), withDestinationPath: target)
            let result = try await Binary.run(
                ["run", "--config", "repository/hubsend.yaml", "repository/notice.yaml"],
                in: workspace)
            let said = result.output + result.complaints
            #expect(result.status == status, "\(said)")
            #expect(said.contains("is a link that leads out") == (status != 0), "\(said)")
        }
    }

    @Test func aMountedConfigMapAndALinkedFolderOnTheWayAreRead() async throws {
        let workspace = try Workspace([
            "data/..2026_11_22/hubsend.yaml": "hub: { local: devices.yaml }\n",
            "data/..2026_11_22/notice.yaml": Campaigns.secure(),
        ])
        for (link, target) in [
            ("data/..data", "..2026_11_22"), ("data/hubsend.yaml", "..data/hubsend.yaml"),
            ("data/notice.yaml", "..data/notice.yaml"), ("home", "data"),
        ] {
            try FileManager.default.createSymbolicLink(
                atPath: workspace.file(link), withDestinationPath: target)
        }
        for path in ["data", "data/notice.yaml", "home", "home/notice.yaml"] {
            let result = try await Binary.run(["validate", path], in: workspace)
            #expect(result.status == 0, "\(result.output)\(result.complaints)")
        }
    }
}
