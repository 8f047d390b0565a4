import CampaignCore

/// Writes diagnostics as a JUnit report, in the form that build servers have in common.
///
/// It has a suite for each file, a test for each finding, and one that passed for a file without any. What campaigns break in their
/// config is a test of it and of each of them. Build servers tell tests apart by class and name and compare them between builds, so
/// that no two are alike, and no name has a line in it.
package struct JUnitDiagnosticRenderer: Sendable {
    private let isStrict: Bool
    private let masksAudience: Bool

    /// - Parameters:
    ///   - isStrict: whether warnings are failures too.
    ///   - masksAudience: whether usernames and their values are masked.
    package init(isStrict: Bool = false, masksAudience: Bool = false) {
        self.isStrict = isStrict
        self.masksAudience = masksAudience
    }

    /// Writes a report.
    ///
    /// - Parameters:
    ///   - diagnostics: placed in the repository.
    ///   - files: the files that were checked, those without findings included; as the diagnostics name them.
    package func render(_ diagnostics: [Diagnostic], checked files: [String]) -> String {
        var found: [String: [Diagnostic]] = [:]
        for diagnostic in diagnostics {
            for file in [diagnostic.file] + diagnostic.campaigns {
                found[file, default: []].append(diagnostic)
            }
        }
        let names = Set(files).union(found.keys).sorted()
        let suites = names.map { suite(of: $0, found[$0] ?? []) }
        let tests = names.reduce(0) { $0 + max(1, found[$1]?.count ?? 0) }
        let failures = found.values.reduce(0) { $0 + $1.count(where: isFailure) }
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <testsuites name="hubsend validate" tests="\(tests)" failures="\(failures)" errors="0">
            \(suites.joined())</testsuites>

            """
    }

    private func isFailure(_ diagnostic: Diagnostic) -> Bool {
        diagnostic.severity == .error || isStrict && diagnostic.severity == .warning
    }

    private func suite(of file: String, _ diagnostics: [Diagnostic]) -> String {
        let name = Self.xml(VisibleText.escape(file))
        var seen: [String: Int] = [:]
        let cases =
            diagnostics.isEmpty
            ? ["    <testcase name=\"no findings\" classname=\"\(name)\" file=\"\(name)\"/>\n"]
            : diagnostics.map { diagnostic in
                let title = "\(diagnostic.rule): \(message(of: diagnostic))"
                let number = seen[title, default: 0] + 1
                seen[title] = number
                return testCase(
                    diagnostic, title + (number == 1 ? "" : " (\(number))"), classname: name)
            }
        let failures = diagnostics.count(where: isFailure)
        return """
              <testsuite name="\(name)" tests="\(cases.count)" failures="\(failures)" errors="0" skipped="0">
            \(cases.joined())  </testsuite>

            """
    }

    private func message(of diagnostic: Diagnostic) -> String {
        diagnostic.shownMessage(maskingAudience: masksAudience)
    }

    private func testCase(
        _ diagnostic: Diagnostic, _ name: String, classname: String
    ) -> String {
        let range = diagnostic.range
        let file = Self.xml(VisibleText.escape(diagnostic.file))
        let message = message(of: diagnostic)
        let severity = diagnostic.severity.rawValue
        var text =
            "\(VisibleText.escape(diagnostic.file)):\(range.line):\(range.column): \(severity): \(message) [\(diagnostic.rule)]"
        if let help = diagnostic.help {
            text += "\nhelp: " + help.shown(maskingAudience: masksAudience)
        }
        let body =
            isFailure(diagnostic)
            ? "<failure message=\"\(Self.xml(message))\" type=\"\(severity)\">\(Self.xml(text))</failure>"
            : "<system-out>\(Self.xml(text))</system-out>"
        return """
                <testcase name="\(Self.xml(name))" classname="\(classname)" file="\(file)" line="\(range.line)">
                  \(body)
                </testcase>

            """
    }

    /// What is left of control characters after ``VisibleText`` are line feeds.
    private static func xml(_ text: String) -> String {
        text.replacingBytes("&", with: "&amp;").replacingBytes("<", with: "&lt;")
            .replacingBytes(">", with: "&gt;").replacingBytes("\"", with: "&quot;")
    }
}
