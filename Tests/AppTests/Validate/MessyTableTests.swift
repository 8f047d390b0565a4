import Foundation
import TestSupport
import Testing

/// Tables from spreadsheets: debris causes a warning, and an exclusion without effect is reported.
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
        try await Binary.run(arguments, in: try Workspace(Self.files), environment: environment)
    }

    @Test(
        "validate warns of debris and of an exclusion in vain, also in a build's log",
        arguments: [[:], ["CI": "true"]])
    func validateWarns(environment: [String: String]) async throws {
        let result = try await run("validate", environment: environment)
        #expect(result.status == 0)
        for line in [
            "people.csv:2:1: warning: 1 row has \"#NAME?\" in the column \"First Name\", and people would read that. [missing-value-word]",
            "people.csv:5:1: warning: 1 row has \"NULL\" in the column \"First Name\", and people would read that. [missing-value-word]",
            "people.csv:6:1: warning: 1 row repeats the header, and is skipped. [csv-header]",
            "hello.yaml:4:53: warning: \"opted-out.txt\" names 2 people, none of them in the audience. [unmatched-exclusion]",
        ] {
            #expect(result.output.contains(line + "\n"), "\(result.output)")
        }
        let strict = try await run("validate", "--strict", environment: environment)
        #expect(strict.status == 1)
    }

    @Test(
        "preview lists debris and an exclusion in vain as unusual",
        arguments: ["text", "markdown", "html", "json"], [[:], ["CI": "true"]])
    func previewTellsWhatIsUnusual(format: String, environment: [String: String]) async throws {
        let result = try await run(
            "preview", "hello.yaml", "--format", format, environment: environment)
        #expect(result.status == 0, "\(result.complaints)")
        let shown = result.output.replacing("`", with: "").replacing("&quot;", with: "")
            .replacing(/<[^>]*>/, with: "").replacing("\\\"", with: "")
            .replacing("\"", with: "").replacing(/\s+/, with: " ")
        for words in [
            "opted-out.txt names 2 people, none of them in the audience",
            "1 row of people.csv (line 2) has #NAME? in the column First Name",
            "1 row of people.csv (line 5) has NULL in the column First Name",
            "1 row of people.csv (line 6) repeats the header, and is skipped",
        ] {
            #expect(shown.contains(words), "\(shown)")
        }
        #expect(!result.output.contains("missing-value-word]"), "it is said once")
    }

    @Test("Blanks around a value and rows of separators reach nobody")
    func valuesAreTrimmed() async throws {
        let result = try await run("preview", "hello.yaml", "--sample", "10")
        #expect(result.output.contains("| Hi Bert!\n"), "\(result.output)")
        #expect(result.output.contains("3 people"))
        #expect(!result.output.contains("Hi first name!"))
    }

    @Test("A list in the config's defaults need not match each audience")
    func defaultsAreNoWarning() async throws {
        var files = Self.files
        files["hello.yaml"] = """
            campaign: hello
            kind: alert
            platforms: [apns]
            audience: { usernames: [alice, bob] }
            payload: { message: "Hi!" }

            """
        files["hubsend.yaml"] =
            "defaults: { audience: { exclude: { files: [opted-out.txt] } } }\n"
        let workspace = try Workspace(files)
        let strict = try await Binary.run(["validate", "--strict"], in: workspace)
        #expect(strict.status == 0, "\(strict.output)")
        #expect(strict.output.contains("hint: \"opted-out.txt\" names 2 people"))
        let preview = try await Binary.run(["preview", "hello.yaml"], in: workspace)
        #expect(preview.output.contains("names 2 people, none of them in the audience"))
    }
}
