import Foundation
import TestSupport
import Testing

/// Audience files in a folder outside the repository: `export:…`.
@Suite(.bounded) struct ExportFolderTests {
    private static let campaign = """
        campaign: notice
        kind: secure
        platforms: [apns]
        audience:
          files: [{ path: "export:loyalty.csv", username_column: User ID, max_age: 26h }]
        payload: { text: There is news. }

        """

    private func workspace() throws -> Workspace {
        try Workspace([
            "repository/notice.yaml": Self.campaign,
            "repository/open/news.yaml": Campaigns.secure("news"),
            "repository/hubsend.yaml": "hub: { local: devices.yaml }\n",
            "repository/devices.yaml": "devices: [{ user: alice, platform: apns }]\n",
            "exports/loyalty.csv": "User ID;city\r\nalice;Rome\r\nbob;Oslo\r\n",
        ])
    }

    @Test("Without the exports folder, validate reports what it skipped")
    func withoutTheExportsFolderValidateReportsWhatItSkipped() async throws {
        let workspace = try workspace()
        let validate = try await Binary.run(["validate", "repository"], in: workspace, status: 0)
        #expect(
            validate.output.contains(
                "repository/notice.yaml:5:19: hint: \"export:loyalty.csv\" was not checked"),
            "\(validate.output)")
        // A campaign whose people are unknown does not hide the other campaign.
        let preview = ["preview", "--format", "markdown", "repository"]
        for arguments in [preview, ["run", "repository/notice.yaml"]] {
            let result = try await Binary.run(arguments, in: workspace, status: 2)
            let sentence =
                "notice.yaml:5:19: \"export:loyalty.csv\" is in the exports folder, but the path of that folder is not set"
            #expect(result.complaints.contains(sentence), "\(arguments): \(result.complaints)")
            #expect(result.complaints.contains("HUBSEND_AUDIENCES"))
            guard arguments == preview else { continue }
            #expect(result.output.contains("### Campaign `news`"), "\(result.output)")
            #expect(
                result.output.contains("### `repository/notice.yaml` cannot be previewed here"))
            #expect(result.output.contains(sentence), "\(result.output)")
        }
        #expect(!FileManager.default.fileExists(atPath: workspace.file("repository/.hubsend")))
    }

    @Test("An export is read, and is refused if it is too old")
    func exportIsReadAndIsRefusedIfItIsTooOld() async throws {
        let workspace = try workspace()
        let environment = ["HUBSEND_AUDIENCES": "exports"]
        let run = try await Binary.run(
            ["run", "repository/notice.yaml", "--json"], in: workspace, environment: environment,
            status: 0)
        #expect(run.output.contains(#""recipients":2"#), "\(run.output)")
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -2 * 86_400)],
            ofItemAtPath: workspace.file("exports/loyalty.csv"))
        let late = try await Binary.run(
            ["run", "--again", "repository/notice.yaml"], in: workspace, environment: environment,
            status: 1)
        let said = late.output + late.complaints
        #expect(said.contains("\"max_age\" allows 26h. [stale-file]"), "\(said)")
        // A finished run needs no audience.
        try await Binary.run(
            ["run", "repository/notice.yaml"], in: workspace, environment: environment, status: 0)
    }
}
