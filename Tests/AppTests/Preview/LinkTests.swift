import Foundation
import TestSupport
import Testing

/// Tests that campaigns and configs that are links to files elsewhere are neither read nor shown.
@Suite(.bounded) struct LinkTests {
    private static let secrets = [
        "DB_PASSWORD=correct-horse\n", "db.example:5432:shop:alice:correct-horse\n",
        "{\"user\":\"alice\",\"password\":\"correct-horse\"}\n", "correct-horse\n",
        "kind: Secret\ndata: { value: correct-horse }\n",
        // A message may repeat the name of a key.
        "\tcorrect-battery: [\n",
    ]

    /// A folder named `repository` next to a secret, with a link to the secret.
    private func workspace(_ secret: String, link: String = "x.yaml") throws -> Workspace {
        let workspace = try Workspace(["secret.txt": secret, "repository/keep.txt": ""])
        try workspace.link("repository/" + link, to: "../secret.txt")
        return workspace
    }

    @Test("A link that leads out of the folder is refused, and its target is not shown")
    func linkThatLeadsOutOfTheFolderIsRefusedAndItsTargetIsNotShown() async throws {
        let workspace = try Workspace([
            "repository/hubsend.yaml": "hub: { local: ../devices.yaml }\n"
        ])
        for (number, secret) in Self.secrets.enumerated() {
            try workspace.write(secret, to: "secret\(number).txt")
            try workspace.link("repository/x\(number).yaml", to: "../secret\(number).txt")
        }
        let links = Self.secrets.indices.map { "repository/x\($0).yaml" }
        // Files are refused before they are read, so the content of the target makes no difference.
        let commands = [
            (["validate", "repository"], Int32(1), Self.secrets.count),
            (["validate"] + links, 2, Self.secrets.count), (["preview", links[0]], 2, 1),
            (["run", links[0]], 2, 1),
        ]
        for (arguments, status, count) in commands {
            let result = try await Binary.run(arguments, in: workspace)
            let said = result.output + result.complaints
            #expect(result.status == status, "\(arguments): \(said)")
            for number in 0..<count {
                #expect(said.contains("\"\(links[number])\" is a link"), "\(said)")
                let target = workspace.file("secret\(number).txt")
                #expect(said.contains(target), "it says what to name instead")
            }
            for word in ["horse", "battery"] { #expect(!said.contains(word), "\(said)") }
        }
    }

    @Test("Another program's file is refused, and its content is not shown")
    func anotherProgramsFileIsRefusedAndItsContentIsNotShown() async throws {
        let workspace = try Workspace()
        let names = Self.secrets.indices.map { "secret\($0).txt" }
        for (name, secret) in zip(names, Self.secrets) { try workspace.write(secret, to: name) }
        for format in ["text", "json"] {
            let result = try await Binary.run(
                ["validate", "--format", format] + names, in: workspace, status: 1)
            let said = result.output + result.complaints
            for name in names { #expect(said.contains(name), "\(said)") }
            #expect(!said.contains("| "), "\(said)")
            #expect(!said.contains("horse"), "\(said)")
        }
    }

    @Test("The target of a link can be given by its real path")
    func targetOfALinkCanBeGivenByItsRealPath() async throws {
        let workspace = try workspace(Campaigns.secure())
        let linked = try await Binary.run(["validate", "repository/x.yaml"], in: workspace)
        // The config in the parent folder is used, because that folder contains both files.
        #expect(linked.status == 0, "\(linked.output)\(linked.complaints)")
        try await Binary.run(["validate", workspace.file("secret.txt")], in: workspace, status: 0)
    }

    @Test("A config that is a link out of its folder is refused")
    func configThatIsALinkOutOfItsFolderIsRefused() async throws {
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

    @Test("A devices file may be a link within the config's folder")
    func devicesFileMayBeALinkWithinTheConfigsFolder() async throws {
        let devices = "devices: [{ user: alice, platform: apns }]\n"
        let workspace = try Workspace([
            "repository/notice.yaml": Campaigns.secure(to: ["alice"]),
            "repository/etc/devices.yaml": devices, "repository/conf/keep.txt": "",
            "devices.yaml": devices,
        ])
        for (target, status) in [("../../devices.yaml", Int32(2)), ("../etc/devices.yaml", 0)] {
            let name = status == 0 ? "inside.yaml" : "outside.yaml"
            try workspace.write("hub: { local: conf/\(name) }\n", to: "repository/hubsend.yaml")
            try workspace.link("repository/conf/" + name, to: target)
            let result = try await Binary.run(
                ["run", "--config", "repository/hubsend.yaml", "repository/notice.yaml"],
                in: workspace)
            let said = result.output + result.complaints
            #expect(result.status == status, "\(said)")
            #expect(said.contains("is a link that leads out") == (status != 0), "\(said)")
        }
    }
}
