import Foundation
import TestSupport
import Testing

/// Tests warnings about what spreadsheets leave in tables, and about exclusions that have no
/// effect.
@Suite(.bounded) struct MessyTableTests {
    private static let files = [
        "hello.yaml": """
        campaign: hello
        kind: alert
        platforms: [apns]
        audience: { files: [people.csv], exclude: { files: [opted-out.txt] } }
        payload: { message: "Hi {{First Name|there}}!" }

        """,
        "people.csv": """
        username;First Name;;
        alice;#NAME?;;
        ;;;
        bob; Bert ;;
        carol;NULL;;
        Username;first name;;

        """,
        "opted-out.txt": "bob@example.com\n\u{200B}\ncarol@example.com\n",
    ]

    private func run(
        _ arguments: String..., environment: [String: String] = [:]
    ) async throws -> ChildProcess.Result {
        try await Binary.run(
            arguments, in: Workspace(Self.files), environment: environment, status: 0)
    }

    @Test(
        "A preview has remarks about spreadsheet debris and useless exclusions",
        arguments: ["text", "markdown", "html", "json"])
    func previewHasRemarksAboutSpreadsheetDebrisAndUselessExclusions(format: String) async throws {
        let environment = format == "text" ? [:] : ["CI": "true"]
        let result = try await run(
            "preview", "hello.yaml", "--format", format, environment: environment)
        let shown = result.output.replacing("`", with: "").replacing("&quot;", with: "")
            .replacing(/<[^>]*>/, with: "").replacing("\\\"", with: "")
            .replacing("\"", with: "").replacing(/\s+/, with: " ")
        for words in [
            "opted-out.txt lists 2 people, none of them in the audience",
            "1 row of people.csv (line 2) has #NAME? in the column First Name",
            "1 row of people.csv (line 5) has NULL in the column First Name",
            "1 row of people.csv (line 6) repeats the header, and is skipped",
        ] {
            #expect(shown.contains(words), "\(shown)")
        }
        #expect(!result.output.contains("missing-value-word]"), "it is said once")
    }

    @Test("Blanks around values are ignored, and separator rows reach nobody")
    func blanksAroundValuesAreIgnoredAndSeparatorRowsReachNobody() async throws {
        let result = try await run("preview", "hello.yaml", "--sample", "10")
        #expect(result.output.contains("| Hi Bert!\n"), "\(result.output)")
        #expect(result.output.contains("3 people"))
        #expect(!result.output.contains("Hi first name!"))
    }

    @Test("If a person has two rows, the first is used")
    func ifAPersonHasTwoRowsTheFirstIsUsed() async throws {
        let campaign = Campaigns.secure()
            .replacing("usernames: [alice, bob]", with: "files: [a.csv, b.csv]")
            .replacing("There is news.", with: "\"Hello {{name}}\"")
        let workspace = try Workspace([
            "notice.yaml": campaign, "a.csv": "username,name\nalice,Alice\nbob,Bob\n",
            "b.csv": "name,username\nBob,bob\nAl,alice\n",
        ])
        let result = try await Binary.run(
            ["preview", "notice.yaml", "--user", "alice"], in: workspace, status: 0)
        #expect(result.output.contains("| Hello Alice\n"), "\(result.output)")
    }
}
