import CampaignCore
import Foundation
import TestSupport
import Testing

@testable import CampaignFormat

@Suite(.bounded) struct ReportFormatsTests {
    private let root = SourceRoot("/repo", seenFrom: "/repo/campaigns")

    private func diagnostic(
        file: String = "a.yaml", line: Int = 7, severity: Diagnostic.Severity = .error,
        rule: Rule = .unknownKey, message: DiagnosticMessage = "It is wrong.",
        help: DiagnosticMessage? = "Fix it.", text: String? = "  rat: 1", isPersonal: Bool = false
    ) -> Diagnostic {
        Diagnostic(
            rule, severity, in: file, at: TextRange(line: line, column: 3, length: 4), message,
            help: help,
            excerpt: text.map {
                Diagnostic.Excerpt(
                    text: $0, startColumn: 1, isCutAtEnd: false, isPersonal: isPersonal)
            })
    }

    private func placed(_ found: [Diagnostic]) -> [Diagnostic] {
        found.flatMap { $0.placed(in: root) }
    }

    /// A finding in an export that two campaigns name.
    private func outside() -> Diagnostic {
        var one = Diagnostic(
            .invalidCSV, in: "/srv/exports/loyalty.csv", at: TextRange(line: 3, column: 5),
            "The row is short.",
            related: [
                Diagnostic.Related(
                    message: "The header is here.", file: "/srv/exports/loyalty.csv",
                    range: TextRange(line: 1, column: 1))
            ],
            excerpt: Diagnostic.Excerpt(
                text: "alice", startColumn: 1, isCutAtEnd: false, isPersonal: true))
        one.namings = ["a.yaml", "b.yaml"].map {
            Diagnostic.Naming(
                "export:loyalty.csv", in: $0, at: TextRange(line: 9, column: 7, length: 18))
        }
        return one
    }

    @Test("A finding outside the repository is reported where the file is named")
    func findingOutsideTheRepositoryIsReportedWhereTheFileIsNamed() throws {
        let found = placed([outside()])
        #expect(found.map(\.file) == ["campaigns/a.yaml", "campaigns/b.yaml"])
        #expect(
            GitHubDiagnosticRenderer().render(Array(found.prefix(1)))
                == "::error title=invalid-csv,file=campaigns/a.yaml,line=9,endLine=9,col=7,endColumn=25::campaigns/a.yaml:9:7: export:loyalty.csv:3:5: The row is short. [invalid-csv]%0Anote: campaigns/a.yaml:9: loyalty.csv:1: The header is here.\n"
        )
        for text in try [
            SARIFDiagnosticRenderer().render(found),
            JUnitDiagnosticRenderer().render(found, checked: []),
        ] {
            #expect(text.contains("export:loyalty.csv:3:5: The row is short."))
            #expect(!text.contains("/srv") && !text.contains("file:/"))
        }
    }

    @Test("Messages name files relative to the repository")
    func messagesNameFilesRelativeToTheRepository() {
        let found = placed([
            diagnostic(
                file: "/repo/x/c.yaml",
                message: "See \(file: "a b.yaml") and \(file: "/srv/x.yaml").",
                help: "Run: chmod go-w \(file: "a b.yaml", isWord: true)")
        ])
        #expect(found.first?.file == "x/c.yaml")
        #expect(found.first?.message.text == "See campaigns/a b.yaml and x.yaml.")
        #expect(found.first?.help?.text == "Run: chmod go-w 'campaigns/a b.yaml'")
    }

    // MARK: Workflow commands

    @Test("GitHub gets an annotation for each finding")
    func gitHubGetsAnAnnotationForEachFinding() {
        let found = [
            diagnostic(), diagnostic(severity: .warning, help: nil),
            diagnostic(file: "../b.csv", severity: .hint, help: nil),
        ]
        let lines = GitHubDiagnosticRenderer().render(placed(found)).split(separator: "\n")
        let place = "line=7,endLine=7,col=3,endColumn=7"
        #expect(
            lines == [
                "::error title=unknown-key,file=campaigns/a.yaml,\(place)::campaigns/a.yaml:7:3: It is wrong. [unknown-key]%0Ahelp: Fix it.",
                "::warning title=unknown-key,file=campaigns/a.yaml,\(place)::campaigns/a.yaml:7:3: It is wrong. [unknown-key]",
                "::notice title=unknown-key,file=b.csv,\(place)::b.csv:7:3: It is wrong. [unknown-key]",
            ])
    }

    @Test(
        "Text from a file never forms a workflow command",
        arguments: [
            "::error::x", "\n::add-mask::x", "##[group]x", "a,line=1::b", "%0A::error::x",
            "\r\n::x",
        ])
    func textFromAFileNeverFormsAWorkflowCommand(_ text: String) {
        let output = GitHubDiagnosticRenderer().render([
            diagnostic(file: text, message: "\(text)", help: "\(text)", text: text)
        ])
        #expect(output.filter { $0.isNewline }.count == 1)
        #expect(output.hasPrefix("::error title=unknown-key,file="))
        #expect(!output.contains("##[") && !output.contains("\r"))
        let properties = output.dropFirst(2).split(separator: "::", maxSplits: 1)[0]
        #expect(properties.split(separator: ",").count == 6)
        // A percent sign from a file must never start an escape sequence.
        #expect(!output.contains("%0A::error"))
    }

    @Test(
        "Combining marks do not hide the signs of a workflow command",
        arguments: [("%", "%25"), (":", "%3A"), (",", "%2C")])
    func combiningMarksDoNotHideTheSignsOfAWorkflowCommand(sign: String, encoded: String) throws {
        for marked in JoiningMarks.around(sign) {
            let output = GitHubDiagnosticRenderer().render([
                diagnostic(file: "a\(marked)", help: nil)
            ])
            let start = try #require(output.firstRange(of: "file=a"))
            let end = try #require(output.firstRange(of: ",line="))
            let file = output[start.upperBound..<end.lowerBound].utf8
            #expect(file.contains(encoded.utf8), "\(output)")
            #expect(sign == "%" || !file.contains(sign.utf8), "\(output)")
        }
    }

    // MARK: JUnit

    @Test(
        "Combining marks do not hide XML markup",
        arguments: [("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ("\"", "&quot;")])
    func combiningMarksDoNotHideXMLMarkup(sign: String, escaped: String) {
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

    @Test("A JUnit report has a suite per file and a test case per finding")
    func jUnitReportHasASuitePerFileAndATestCasePerFinding() {
        let found = [
            diagnostic(message: "\"a\" < b & c"),
            diagnostic(severity: .warning, rule: .cutText, help: nil),
        ]
        let text = JUnitDiagnosticRenderer().render(found, checked: ["a.yaml", "b.yaml"])
        #expect(
            text == """
                <?xml version="1.0" encoding="UTF-8"?>
                <testsuites name="hubsend validate" tests="3" failures="1" errors="0">
                  <testsuite name="a.yaml" tests="2" failures="1" errors="0" skipped="0">
                    <testcase name="unknown-key: &quot;a&quot; &lt; b &amp; c" classname="a.yaml" file="a.yaml" line="7">
                      <failure message="&quot;a&quot; &lt; b &amp; c" type="error">a.yaml:7:3: error: &quot;a&quot; &lt; b &amp; c [unknown-key]
                help: Fix it.</failure>
                    </testcase>
                    <testcase name="cut-text: It is wrong." classname="a.yaml" file="a.yaml" line="7">
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

    @Test(
        "The test cases of a JUnit report have unique names without line numbers"
    )
    func testCasesOfAJUnitReportHaveUniqueNamesWithoutLineNumbers() {
        func names(from line: Int) -> [String] {
            let found = ["a.yaml", "b.yaml"].flatMap { file in
                [
                    diagnostic(file: file, line: line, message: "No value for \"a\"."),
                    diagnostic(file: file, line: line, message: "No value for \"b\"."),
                    diagnostic(file: file, line: line, message: "\(audience: "alice") is bad."),
                    diagnostic(file: file, line: line, message: "\(audience: "bob") is bad."),
                ]
            }
            return JUnitDiagnosticRenderer(masksAudience: true).render(found, checked: [])
                .matches(of: /<testcase (name=".*" classname=".*") file=/).map { String($0.1) }
        }
        #expect(Set(names(from: 7)).count == 8)
        #expect(names(from: 7) == names(from: 70))
    }

    @Test("A JUnit report has the structure that build servers expect")
    func jUnitReportHasTheStructureThatBuildServersExpect() {
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
        let text = try SARIFDiagnosticRenderer(version: "1.2.3", masksAudience: masks)
            .render(placed(found))
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
            #expect(marks.count == 1)
            // GitHub's upload uses the key `primaryLocationLineHash` itself, and warns about other
            // values.
            return try #require(marks["hubsendFinding/v1"])
        }
    }

    @Test("A SARIF log conforms to the specification")
    func sarifLogConformsToTheSpecification() throws {
        let found = [
            diagnostic(), diagnostic(file: "/elsewhere/ä b.yaml", severity: .hint, text: nil),
            Diagnostic(
                .cutText, in: "a.yaml", at: TextRange(line: 1, column: 1), "It is odd.",
                // Two notes can have the same text at the same position.
                related: Array(
                    repeating: Diagnostic.Related(
                        message: "As is this.", file: "b.csv",
                        range: TextRange(line: 1, column: 1)), count: 2)),
        ]
        try SARIFShape.check(log(found))
        try SARIFShape.check(log([]))
    }

    @Test("A SARIF result refers to a file in the repository and to its rule")
    func sarifResultRefersToAFileInTheRepositoryAndToItsRule() throws {
        let found = try results([diagnostic(), diagnostic(file: "/elsewhere/ä b.yaml")])
        let places = try found.map { result in
            let locations = try #require(result["locations"] as? [[String: Any]])
            let place = try #require(locations.first?["physicalLocation"] as? [String: Any])
            return try #require(place["artifactLocation"] as? [String: String])
        }
        #expect(places[0] == ["uri": "campaigns/a.yaml", "uriBaseId": "%SRCROOT%"])
        #expect(places[1] == ["uri": "%C3%A4%20b.yaml", "uriBaseId": "%SRCROOT%"])
        let index = try #require(found[0]["ruleIndex"] as? Int)
        #expect(Rule.all[index].id == "unknown-key")
    }

    @Test("A SARIF fingerprint stays the same when its line moves")
    func sarifFingerprintStaysTheSameWhenItsLineMoves() throws {
        let first = try marks([diagnostic(line: 7), diagnostic(line: 9, text: "rat:  1 ")])
        // Blanks are ignored, but equal lines are distinguished by their order.
        #expect(first[0].hasSuffix(":1") && first[1].hasSuffix(":2"))
        #expect(first[0].dropLast(2) == first[1].dropLast(2))
        #expect(try marks([diagnostic(line: 70)]) == [first[0]])
        #expect(try marks([diagnostic(line: 7, text: "rat: 2")]) != [first[0]])
        #expect(try marks([diagnostic(line: 7, rule: .wrongType)]) != [first[0]])
    }

    @Test("A SARIF fingerprint reveals nothing about people")
    func sarifFingerprintRevealsNothingAboutPeople() throws {
        func one(_ name: String) -> Diagnostic {
            diagnostic(
                message: "The username \"\(audience: name)\" is bad.", text: "[\(name)]",
                isPersonal: true)
        }
        #expect(try marks([one("alice")]) == marks([one("bob")]))
    }

    @Test("Sentences, lines of the file and carets fit in the terminal")
    func sentencesLinesOfTheFileAndCaretsFitInTheTerminal() {
        let source = "key: " + String(repeating: "long ", count: 30)
        let one = Diagnostic(
            .unknownKey, in: "a.yaml", at: TextRange(line: 1, column: 6, length: 4),
            "\(String(repeating: "What is wrong. ", count: 9))",
            help: "\(String(repeating: "What to do. ", count: 9))",
            excerpt: Diagnostic.Excerpt(
                text: source, startColumn: 1, isCutAtEnd: false, isPersonal: false))
        for isColored in [false, true] {
            let lines = TextDiagnosticRenderer(isColored: isColored, width: 60).render([one])
                .split(separator: "\n")
            #expect(lines.contains("   1 | \(source.prefix(51))…"))
            for line in lines {
                #expect(VisibleText.width(of: line) <= 60, "\(line)")
            }
            #expect(lines.last?.hasPrefix("        ") == true)
        }
        let late = Diagnostic(
            .unknownKey, in: "a.yaml", at: TextRange(line: 1, column: 121, length: 4),
            "It is wrong.",
            excerpt: Diagnostic.Excerpt(
                text: source, startColumn: 1, isCutAtEnd: false, isPersonal: false))
        let shown = TextDiagnosticRenderer(width: 60).render([late]).split(separator: "\n")
        #expect(shown[1].hasPrefix("   1 | …") && shown[1].hasSuffix("…"))
        let carets = shown[2].count { $0 == " " || $0 == "|" }
        #expect(shown[1].dropFirst(carets).hasPrefix("long"), "\(shown)")
    }

    // MARK: Carets

    @Test(
        "A caret is below the character that it marks",
        arguments: [
            ("a: é", 3, "^"), ("a: e\u{301}x", 5, "^"), ("a: 東京x", 4, "^^"), ("a: 東京x", 5, "^"),
            ("a: 👍x", 3, "^^"),
            ("a: 👨\u{200D}👩\u{200D}👧 x", 8, "^"), ("a: ❤\u{FE0F}x", 5, "^"), ("a: 🇩🇪x", 5, "^"),
            ("a: 👍🏽x", 5, "^"), ("a: ⭐x", 4, "^"),
        ])
    func caretIsBelowTheCharacterThatItMarks(_ line: String, _ offset: Int, _ caret: String) {
        let one = Diagnostic(
            .unknownKey, in: "a", at: TextRange(line: 1, column: offset + 1, length: 1), "m",
            excerpt: Diagnostic.Excerpt(
                text: line, startColumn: 1, isCutAtEnd: false, isPersonal: false))
        let lines = TextDiagnosticRenderer().render([one]).split(separator: "\n")
        #expect(lines[1] == "   1 | \(line)")
        let before = String(String.UnicodeScalarView(line.unicodeScalars.prefix(offset)))
        let blanks = lines[2].dropFirst(7).prefix { $0 == " " }.count
        #expect(blanks == Self.columns[before], "\(before)")
        #expect(lines[2].hasSuffix(" " + caret))
    }

    /// The number of terminal columns of each text.
    private static let columns = [
        "a: ": 3, "a: e\u{301}": 4, "a: 東京": 7, "a: 東": 5, "a: 👨\u{200D}👩\u{200D}👧": 5,
        "a: ❤\u{FE0F}": 5, "a: 🇩🇪": 5, "a: 👍🏽": 5, "a: ⭐": 5,
    ]
}
