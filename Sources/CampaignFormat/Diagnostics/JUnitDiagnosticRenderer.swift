import CampaignCore

/// Writes a JUnit report in the form that all build servers understand.
///
/// Each file is a suite and each finding a test; a clean file has one test that passed. Servers
/// compare tests by class and name between builds, so names are unique and contain no line number.
package struct JUnitDiagnosticRenderer: Sendable {
    private let isStrict: Bool
    private let masksAudience: Bool

    /// - Parameter isStrict: whether warnings are failures too.
    package init(isStrict: Bool = false, masksAudience: Bool = false) {
        self.isStrict = isStrict
        self.masksAudience = masksAudience
    }

    /// `files` includes those without findings; the places of the diagnostics are in the
    /// repository.
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

    private static func xml(_ text: String) -> String {
        XMLText.escaped(text, inAttribute: true)
    }
}
