import Foundation
import TestSupport
import Testing

/// Messages about audience files as people export them.
@Suite(.bounded) struct AudienceFileTests {
    private static let campaign = """
        campaign: notice
        kind: secure
        platforms: [apns]
        audience: { files: [a.csv, b.csv] }
        payload: { text: "Hello {{name}}" }

        """

    @Test func twoRowsOfOnePersonWithOtherValuesAreShownAndTheFirstCounts() async throws {
        let workspace = try Workspace([
            "notice.yaml": Self.campaign, "a.csv": "username,name\nalice,Alice\nbob,Bob\n",
            "b.csv": "name,username\nBob,bob\nAl,alice\n",
        ])
        let result = try await Binary.run(["validate"], in: workspace)
        #expect(result.status == 0)
        #expect(
            result.output == """
                b.csv:3:1: warning: "alice" is named again with other values, which do not count. [conflicting-values]
                  help: The row that comes first counts, in the order of the files; delete the wrong one.
                  note: a.csv:2:1: These values count.

                """)
        let log = try await Binary.run(
            ["validate"], in: workspace, environment: ["CI": "true"])
        #expect(log.output.contains(#"b.csv:3:1: warning: "***" is named again"#))
        let run = try await Binary.run(["run", "notice.yaml"], in: workspace)
        #expect(run.status == 0, "\(run.complaints)")
        let payloads = try await Binary.run(
            ["payload", "list", "--format", "json"], in: workspace)
        let list = try #require(
            JSONSerialization.jsonObject(with: Data(payloads.output.utf8)) as? [[String: Any]])
        let own = list.first { $0["recipient"] as? String == "alice" }
        let id = try #require(own?["notification"] as? String, "\(payloads.output)")
        let shown = try await Binary.run(["payload", "show", id], in: workspace)
        #expect(shown.output.contains("Hello Alice"), "\(shown.output)")
    }

    @Test(arguments: ["validate", "preview", "run"])
    func aTableWithAHeaderOnlyIsNamed(command: String) async throws {
        let workspace = try Workspace([
            "notice.yaml": Self.campaign, "a.csv": "username,name\n",
            "b.csv": "username,name\r\n\r\n",
        ])
        let result = try await Binary.run([command, "notice.yaml"], in: workspace)
        #expect(result.status == 1)
        let said = result.output + result.complaints
        #expect(said.contains("notice.yaml:4:1: error: The audience names nobody."), "\(said)")
        for (column, name) in [(21, "a.csv"), (28, "b.csv")] {
            #expect(
                said.contains(
                    "notice.yaml:4:\(column): warning: The file \"\(name)\" names nobody: there is no row below its header."
                ), "\(said)")
        }
    }

    @Test(arguments: ["validate", "run"])
    func aSpreadsheetIsNamedWithoutAByteOfIt(command: String) async throws {
        let workspace = try Workspace([
            "notice.yaml": Self.campaign, "b.csv": "username,name\ralice,Alice\r",
        ])
        let sheet = Data([0x50, 0x4B, 3, 4]) + Data("xl/workbook.xml".utf8) + Data(0...255)
        try workspace.write(sheet, to: "a.csv")
        let result = try await Binary.run([command, "notice.yaml"], in: workspace)
        #expect(result.status == 1)
        let said = result.output + result.complaints
        #expect(
            said.contains(
                """
                a.csv:1:1: error: This is an Excel file. [not-text]
                  help: Export it as CSV; Excel offers "CSV UTF-8".
                b.csv:1:1: error: The lines end with carriage returns alone, as on old Macs, so that all of the file \
                is one line. [encoding]
                  help: Save it with the line ends of Unix or Windows; Excel offers "CSV UTF-8".

                """), "\(said)")
        #expect(!said.contains(" | "), "\(said)")
    }
}
