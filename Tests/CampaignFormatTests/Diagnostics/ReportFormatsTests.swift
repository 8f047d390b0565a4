import CampaignCore
import Foundation
import TestSupport
import Testing

@testable import CampaignFormat

/// Findings in the forms of other programs.
@Suite(.bounded) struct ReportFormatsTests {
    private let root = SourceRoot("/repo", seenFrom: "/repo/campaigns")

    private func diagnostic(
        file: String = "a.yaml", line: Int = 7, severity: Diagnostic.Severity = .error,
        rule: String = "unknown-key", message: DiagnosticMessage = "It is wrong.",
        help: DiagnosticMessage? = "Mend it.", text: String? = "  rat: 1", isPersonal: Bool = false
    ) -> Diagnostic {
        Diagnostic(
            file: file, range: TextRange(line: line, column: 3, length: 4), severity: severity,
            rule: rule, message: message, help: help,
            excerpt: text.map {
                Diagnostic.Excerpt(
                    text: $0, startColumn: 1, isCutAtEnd: false, isPersonal: isPersonal)
            })
    }

    // MARK: Workflow commands

    @Test func githubGetsAnAnnotationForEachFinding() {
        let found = [
            diagnostic(), diagnostic(severity: .warning, help: nil),
            diagnostic(file: "../b.csv", severity: .hint, help: nil),
        ]
        let lines = GitHubDiagnosticRenderer(root: root).render(found).split(separator: "\n")
        let place = "line=7,endLine=7,col=3,endColumn=7"
        #expect(
            lines == [
                "::error title=unknown-key,file=campaigns/a.yaml,\(place)::a.yaml:7:3: It is wrong. [unknown-key]%0Ahelp: Mend it.",
                "::warning title=unknown-key,file=campaigns/a.yaml,\(place)::a.yaml:7:3: It is wrong. [unknown-key]",
                "::notice title=unknown-key,file=b.csv,\(place)::../b.csv:7:3: It is wrong. [unknown-key]",
            ])
    }

    @Test(arguments: [
        "::error::x", "\n::add-mask::x", "##[group]x", "a,line=1::b", "%0A::error::x", "\r\n::x",
    ])
    func nothingFromAFileFormsACommand(_ text: String) {
        let output = GitHubDiagnosticRenderer(root: root).render([
            diagnostic(file: text, message: "\(text)", help: "\(text)", text: text)
        ])
        #expect(output.filter { $0.isNewline }.count == 1)
        #expect(output.hasPrefix("::error title=unknown-key,file="))
        #expect(!output.contains("##[") && !output.contains("\r"))
        let properties = output.dropFirst(2).split(separator: "::", maxSplits: 1)[0]
        #expect(properties.split(separator: ",").count == 6)
        // A percent sign of a file is never one of an escape.
        #expect(!output.contains("%0A::error"))
    }

    @Test(arguments: [("%", "%25"), (":", "%3A"), (",", "%2C")])
    func noMarkHidesASignOfACommand(sign: String, encoded: String) throws {
        for marked in JoiningMarks.around(sign) {
            let output = GitHubDiagnosticRenderer(root: root).render([
                diagnostic(file: "a\(marked)", help: nil)
            ])
            let start = try #require(output.firstRange(of: "file=campaigns/a"))
            let end = try #require(output.firstRange(of: ",line="))
            let file = output[start.upperBound..<end.lowerBound].utf8
            #expect(file.contains(encoded.utf8), "\(output)")
            #expect(sign == "%" || !file.contains(sign.utf8), "\(output)")
        }
    }

    // MARK: JUnit

    @Test(arguments: [("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ("\"", "&quot;")])
    func noMarkHidesMarkup(sign: String, escaped: String) {
        func report(_ text: String) -> String.UTF8View {
            JUnitDiagnosticRenderer().render(
                [diagnostic(file: "a\(text)b", message: "a\(text)b", help: "a\(text)b")],
                checked: []
            ).utf8
        }
        let plain = report("x").ranges(of: sign.utf8).count
        for marked in JoiningMarks.around(sign) {
            let output = report(marked)
            let found = output.ranges(of: escaped.utf8).count
            #expect(found > 0)
            #expect(output.ranges(of: sign.utf8).count == plain + (sign == "&" ? found : 0))
        }
    }

    @Test func junitHasASuiteForEachFileAndATestForEachFinding() {
        let found = [
            diagnostic(message: "\"a\" < b & c"),
            diagnostic(severity: .warning, rule: "cut-text", help: nil),
        ]
        let text = JUnitDiagnosticRenderer().render(found, checked: ["a.yaml", "b.yaml"])
        #expect(
            text == """
                <?xml version="1.0" encoding="UTF-8"?>
                <testsuites name="hubsend validate" tests="3" failures="1" errors="0">
                  <testsuite name="a.yaml" tests="2" failures="1" errors="0" skipped="0">
                    <testcase name="unknown-key at 7:3" classname="a.yaml" file="a.yaml" line="7">
                      <failure message="&quot;a&quot; &lt; b &amp; c" type="error">a.yaml:7:3: error: &quot;a&quot; &lt; b &amp; c [unknown-key]
                help: Mend it.</failure>
                    </testcase>
                    <testcase name="cut-text at 7:3" classname="a.yaml" file="a.yaml" line="7">
                      <system-out>a.yaml:7:3: warning: It is wrong. [cut-text]</system-out>
                    </testcase>
                  </testsuite>
                  <testsuite name="b.yaml" tests="1" failures="0" errors="0" skipped="0">
                    <testcase name="no findings" classname="b.yaml" file="b.yaml"/>
                  </testsuite>
                </testsuites>

                """)
        let strict = JUnitDiagnosticRenderer(isStrict: true).render(found, checked: [])
        #expect(strict.contains("tests=\"2\" failures=\"2\""))
    }

    @Test func aJUnitReportHasTheFormThatServersHaveInCommon() {
        let found = [
            diagnostic(file: "<a> & \"b\".yaml", message: "]]> \u{7} é"),
            diagnostic(severity: .warning), diagnostic(severity: .hint, help: nil),
        ]
        for isStrict in [false, true] {
            JUnitShape.check(
                JUnitDiagnosticRenderer(isStrict: isStrict).render(found, checked: ["c.yaml"]))
        }
        JUnitShape.check(JUnitDiagnosticRenderer().render([], checked: []))
    }

    // MARK: SARIF

    private func log(_ found: [Diagnostic], masks: Bool = false) throws -> [String: Any] {
        let text = try SARIFDiagnosticRenderer(root: root, version: "1.2.3", masksAudience: masks)
            .render(found)
        return try #require(
            JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    }

    private func results(_ found: [Diagnostic], masks: Bool = false) throws -> [[String: Any]] {
        let runs = try #require(log(found, masks: masks)["runs"] as? [[String: Any]])
        return try #require(runs.first?["results"] as? [[String: Any]])
    }

    private func marks(_ found: [Diagnostic]) throws -> [String] {
        try results(found).map { result in
            let marks = try #require(result["partialFingerprints"] as? [String: String])
            return try #require(marks["primaryLocationLineHash"])
        }
    }

    @Test func aLogIsWhatTheSpecificationAsksFor() throws {
        let found = [
            diagnostic(), diagnostic(file: "/elsewhere/ä b.yaml", severity: .hint, text: nil),
            Diagnostic(
                file: "a.yaml", range: TextRange(line: 1, column: 1), severity: .warning,
                rule: "none-of-ours", message: "It is odd.",
                // Two notes may well say the same of one place.
                related: Array(
                    repeating: Diagnostic.Related(
                        message: "As is this.", file: "b.csv",
                        range: TextRange(line: 1, column: 1)), count: 2)),
        ]
        try SARIFShape.check(log(found))
        try SARIFShape.check(log([]))
    }

    @Test func aResultPointsIntoTheRepositoryAndAtItsRule() throws {
        let found = try results([diagnostic(), diagnostic(file: "/elsewhere/ä b.yaml")])
        let places = try found.map { result in
            let locations = try #require(result["locations"] as? [[String: Any]])
            let place = try #require(locations.first?["physicalLocation"] as? [String: Any])
            return try #require(place["artifactLocation"] as? [String: String])
        }
        #expect(places[0] == ["uri": "campaigns/a.yaml", "uriBaseId": "%SRCROOT%"])
        #expect(places[1] == ["uri": "file:///elsewhere/%C3%A4%20b.yaml"])
        let index = try #require(found[0]["ruleIndex"] as? Int)
        #expect(RuleDescription.all[index].id == "unknown-key")
    }

    @Test func aFindingIsKnownAgainAfterItsLineMoved() throws {
        let first = try marks([diagnostic(line: 7), diagnostic(line: 9, text: "rat:  1 ")])
        // Blanks count for nothing, and equal lines are told apart by their order.
        #expect(first[0].hasSuffix(":1") && first[1].hasSuffix(":2"))
        #expect(first[0].dropLast(2) == first[1].dropLast(2))
        #expect(try marks([diagnostic(line: 70)]) == [first[0]])
        #expect(try marks([diagnostic(line: 7, text: "rat: 2")]) != [first[0]])
        #expect(try marks([diagnostic(line: 7, rule: "wrong-type")]) != [first[0]])
    }

    @Test func aMarkTellsNothingOfPeople() throws {
        func one(_ name: String) -> Diagnostic {
            diagnostic(
                message: "The username \"\(audience: name)\" is bad.", text: "[\(name)]",
                isPersonal: true)
        }
        #expect(try marks([one("alice")]) == marks([one("bob")]))
    }

    @Test func peopleAreMaskedInEveryForm() throws {
        let one = diagnostic(
            message: "The username \"\(audience: "quentin")\" is bad.", text: "[quentin]",
            isPersonal: true)
        let texts = [
            GitHubDiagnosticRenderer(root: root, masksAudience: true).render([one]),
            JUnitDiagnosticRenderer(masksAudience: true).render([one], checked: []),
            try SARIFDiagnosticRenderer(root: root, masksAudience: true).render([one]),
            try JSONDiagnosticRenderer(masksAudience: true).render([one]),
            TextDiagnosticRenderer(masksAudience: true).render([one]),
        ]
        for text in texts {
            #expect(text.contains("The username"))
            #expect(!text.contains("username \\\"quentin") && !text.contains("[quentin]"))
            #expect(!text.contains("\"quentin\"") && !text.contains("&quot;quentin"))
        }
    }

    @Test("Sentences fit a terminal, and lines of the file stay as they are")
    func sentencesFitATerminal() {
        let source = "key: " + String(repeating: "long ", count: 30)
        let one = Diagnostic(
            file: "a.yaml", range: TextRange(line: 1, column: 6, length: 4), severity: .error,
            rule: "some-rule", message: "\(String(repeating: "What is wrong. ", count: 9))",
            help: "\(String(repeating: "What to do. ", count: 9))",
            excerpt: Diagnostic.Excerpt(
                text: source, startColumn: 1, isCutAtEnd: false, isPersonal: false))
        for isColored in [false, true] {
            let lines = TextDiagnosticRenderer(isColored: isColored, width: 60).render([one])
                .split(separator: "\n")
            #expect(lines.contains("   1 | \(source)"))
            for line in lines where !line.contains(" | ") {
                #expect(VisibleText.width(of: line) <= 60, "\(line)")
            }
            #expect(lines.last?.hasPrefix("        ") == true)
        }
    }

    // MARK: Carets

    @Test(arguments: [
        ("a: é", 3, "^"), ("a: e\u{301}x", 5, "^"), ("a: 東京x", 4, "^^"), ("a: 東京x", 5, "^"),
        ("a: 👍x", 3, "^^"),
        ("a: 👨\u{200D}👩\u{200D}👧 x", 8, "^"), ("a: ❤\u{FE0F}x", 5, "^"), ("a: 🇩🇪x", 5, "^"),
        ("a: 👍🏽x", 5, "^"), ("a: ⭐x", 4, "^"),
    ])
    func aCaretStandsBelowItsCharacter(_ line: String, _ offset: Int, _ caret: String) {
        let one = Diagnostic(
            file: "a", range: TextRange(line: 1, column: offset + 1, length: 1), severity: .error,
            rule: "r", message: "m",
            excerpt: Diagnostic.Excerpt(
                text: line, startColumn: 1, isCutAtEnd: false, isPersonal: false))
        let lines = TextDiagnosticRenderer().render([one]).split(separator: "\n")
        #expect(lines[1] == "   1 | \(line)")
        let before = String(String.UnicodeScalarView(line.unicodeScalars.prefix(offset)))
        let blanks = lines[2].dropFirst(7).prefix { $0 == " " }.count
        #expect(blanks == Self.columns[before], "\(before)")
        #expect(lines[2].hasSuffix(" " + caret))
    }

    /// How many columns a terminal takes for what stands before.
    private static let columns = [
        "a: ": 3, "a: e\u{301}": 4, "a: 東京": 7, "a: 東": 5, "a: 👨\u{200D}👩\u{200D}👧": 5,
        "a: ❤\u{FE0F}": 5, "a: 🇩🇪": 5, "a: 👍🏽": 5, "a: ⭐": 5,
    ]
}
