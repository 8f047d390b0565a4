import CampaignCore

/// Writes diagnostics as a JUnit report, in the form that build servers have in common.
///
/// It has a suite for each file, a test for each finding, and one that passed for a file without any. What campaigns break in their
/// config is a test of it and of each of them.
package struct JUnitDiagnosticRenderer: Sendable {
    private let isStrict: Bool
    private let masksAudience: Bool

    /// Chooses the form.
    ///
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
    ///   - diagnostics: in their order.
    ///   - files: the files that were checked, those without findings included.
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
        let cases =
            diagnostics.isEmpty
            ? ["    <testcase name=\"no findings\" classname=\"\(name)\" file=\"\(name)\"/>\n"]
            : diagnostics.map { self.testCase($0, classname: name) }
        let failures = diagnostics.count(where: isFailure)
        return """
              <testsuite name="\(name)" tests="\(cases.count)" failures="\(failures)" errors="0" skipped="0">
            \(cases.joined())  </testsuite>

            """
    }

    private func testCase(_ diagnostic: Diagnostic, classname: String) -> String {
        let range = diagnostic.range
        let file = Self.xml(VisibleText.escape(diagnostic.file))
        let message = diagnostic.message.shown(maskingAudience: masksAudience)
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
                <testcase name="\(diagnostic.rule) at \(range.line):\(range.column)" classname="\(classname)" file="\(file)" line="\(range.line)">
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
