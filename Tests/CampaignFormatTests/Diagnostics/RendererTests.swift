import Foundation
import TestSupport
import Testing

@testable import CampaignFormat

/// Tests what diagnostics look like, and what they never show.
@Suite(.bounded) struct RendererTests {
    private func diagnostic(
        file: String = "a.yaml", message: DiagnosticMessage = "It is wrong.",
        help: DiagnosticMessage? = nil,
        column: Int = 1, length: Int = 1, line: String? = nil
    ) -> Diagnostic {
        let excerpt = line.map {
            Diagnostic.Excerpt(text: $0, startColumn: 1, isCutAtEnd: false, isPersonal: false)
        }
        return Diagnostic(
            .unknownKey, in: file, at: TextRange(line: 7, column: column, length: length), message,
            help: help, excerpt: excerpt)
    }

    @Test("JSON has exactly the documented keys") func jsonHasExactlyTheDocumentedKeys() throws {
        let text = try JSONDiagnosticRenderer().render([
            diagnostic(help: "Mend it."), diagnostic(line: "x"),
        ])
        let rows = try #require(
            JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]])
        let keys: Set = [
            "file", "line", "column", "end_line", "end_column", "severity", "rule", "message",
            "help",
        ]
        #expect(rows.map { Set($0.keys) } == [keys, keys])
        #expect(rows[0]["line"] as? Int == 7)
        #expect(rows[0]["end_column"] as? Int == 2)
        #expect(rows[0]["severity"] as? String == "error")
        #expect(rows[0]["help"] as? String == "Mend it.")
        #expect(rows[1]["help"] is NSNull)
    }

    @Test("Without findings, the JSON is an empty array and the text is empty")
    func withoutFindingsTheJSONIsAnEmptyArrayAndTheTextIsEmpty() throws {
        let text = try JSONDiagnosticRenderer().render([])
        #expect(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String] == [])
        #expect(TextDiagnosticRenderer().render([]) == "")
    }

    @Test("Colours are used only on request") func coloursAreUsedOnlyOnRequest() {
        let one = diagnostic(line: "x")
        #expect(!TextDiagnosticRenderer().render([one]).contains("\u{1B}"))
        let colored = TextDiagnosticRenderer(isColored: true).render([one])
        #expect(colored.contains("\u{1B}[1;31merror:\u{1B}[0m"))
    }

    @Test("Invisible characters are escaped") func invisibleCharactersAreEscaped() {
        let hidden = "a\u{202E}b\u{200B}c\u{7}d\u{1B}[31m\u{FEFF}\u{2066}\u{AD}\u{E0041}\u{A0}"
        let text = TextDiagnosticRenderer().render([
            diagnostic(message: "\(hidden)", help: "\(hidden)", line: hidden)
        ])
        let printable = text.unicodeScalars.allSatisfy {
            $0 == "\n" || (0x20..<0x7F).contains($0.value)
        }
        #expect(printable)
        #expect(text.contains(#"a\u{202E}b\u{200B}c\u{7}d\u{1B}[31m\u{FEFF}"#))
    }

    @Test("Carets are below the marked text") func caretsAreBelowTheMarkedText() {
        let text = TextDiagnosticRenderer().render([
            diagnostic(column: 4, length: 2, line: "\t東\u{200B}ab")
        ])
        let lines = text.split(separator: "\n")
        #expect(lines[1] == #"   7 | \t東\u{200B}ab"#)
        #expect(lines[2] == "     | " + String(repeating: " ", count: 2 + 2 + 8) + "^^")
    }

    @Test("If a marked range extends beyond the line, only the line is marked")
    func ifAMarkedRangeExtendsBeyondTheLineOnlyTheLineIsMarked() {
        let past = Diagnostic(
            .unknownKey, in: "a",
            at: TextRange(line: 1, column: 3, endLine: 4, endColumn: 1), "m",
            excerpt: Diagnostic.Excerpt(
                text: "abcd", startColumn: 1, isCutAtEnd: false, isPersonal: false))
        #expect(TextDiagnosticRenderer().render([past]).contains("\n     |   ^^\n"))
    }

    @Test(
        "No text becomes a build log command",
        arguments: ["::error::x", "  ::add-mask::x", "##[group]x", "a ##[error]b", "###[x]"])
    func noTextBecomesABuildLogCommand(_ text: String) {
        let output = TextDiagnosticRenderer().render([
            diagnostic(file: text, message: "\(text)", help: "\(text)", line: text)
        ])
        for line in output.split(separator: "\n") {
            #expect(!line.drop { $0 == " " }.hasPrefix("::"))
            #expect(!line.contains("##["))
        }
    }

    @Test("Findings are sorted by file, line and column")
    func findingsAreSortedByFileLineAndColumn() {
        func at(_ file: String, _ line: Int, _ column: Int) -> Diagnostic {
            Diagnostic(.unknownKey, in: file, at: TextRange(line: line, column: column), "m")
        }
        let sorted = [at("a", 1, 2), at("a", 2, 1), at("a", 10, 1), at("b", 1, 1)]
        #expect(sorted.reversed().sorted() == sorted)
    }
}
