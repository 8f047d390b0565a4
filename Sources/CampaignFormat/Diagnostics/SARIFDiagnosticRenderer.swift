import CampaignCore

/// Writes a SARIF 2.1.0 log (OASIS), with the texts of all rules.
package struct SARIFDiagnosticRenderer: Sendable {
    private static let numbers = Dictionary(
        Rule.all.enumerated().map { ($0.element.id, $0.offset) }, uniquingKeysWith: { $1 })

    /// A name of hubsend's own: GitHub's upload computes `primaryLocationLineHash` and warns of
    /// other values.
    static let markName = "hubsendFinding/v1"

    private let version: String?
    private let masksAudience: Bool

    package init(version: String? = nil, masksAudience: Bool = false) {
        self.version = version
        self.masksAudience = masksAudience
    }

    /// - Parameter diagnostics: findings whose places are in the repository.
    package func render(_ diagnostics: [Diagnostic]) throws -> String {
        var seen: [String: Int] = [:]
        let results = diagnostics.map { diagnostic in
            let mark = mark(of: diagnostic)
            seen["\(diagnostic.file)\n\(mark)", default: 0] += 1
            return result(
                diagnostic, ruleIndex: Self.numbers[diagnostic.rule],
                mark: "\(mark):\(seen["\(diagnostic.file)\n\(mark)", default: 1])")
        }
        let driver: JSONObject = [
            "name": "hubsend", "version": version, "semanticVersion": version,
            "rules": Rule.all.map(Self.descriptor),
        ]
        let run: JSONObject = [
            "tool": ["driver": driver.withoutNulls],
            // Columns count characters, not the units of UTF-16.
            "columnKind": "unicodeCodePoints", "results": results,
        ]
        let log: JSONObject = [
            "$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0",
            "runs": [run],
        ]
        return String(decoding: try log.document(), as: UTF8.self)
    }

    private static func descriptor(_ rule: Rule) -> JSONObject {
        let (wrong, right) = (
            rule.wrong.shown.joined(separator: "\n"), rule.right.shown.joined(separator: "\n")
        )
        return [
            "id": rule.id, "shortDescription": ["text": rule.title],
            "fullDescription": ["text": rule.why],
            "help": [
                "text": "\(rule.why)\n\nWrong:\n\n\(wrong)\n\nRight:\n\n\(right)\n",
                // Services show the Markdown instead of the plain text.
                "markdown":
                    "\(rule.why)\n\nWrong:\n\n```yaml\n\(wrong)\n```\n\nRight:\n\n```yaml\n\(right)\n```\n",
            ],
            "defaultConfiguration": ["level": level(rule.severity)],
        ]
    }

    private static func level(_ severity: Diagnostic.Severity) -> String {
        switch severity {
        case .error: "error"
        case .warning: "warning"
        case .hint: "note"
        }
    }

    private func result(_ diagnostic: Diagnostic, ruleIndex: Int?, mark: String) -> JSONObject {
        var text = diagnostic.shownMessage(maskingAudience: masksAudience)
        if let help = diagnostic.help {
            text += " " + help.shown(maskingAudience: masksAudience)
        }
        let related = diagnostic.related.enumerated().map { number, other -> JSONObject in
            [
                "id": number + 1,
                "message": ["text": other.message.shown(maskingAudience: masksAudience)],
                "physicalLocation": place(other.file, other.range),
            ]
        }
        let result: JSONObject = [
            "ruleId": diagnostic.rule, "ruleIndex": ruleIndex,
            "level": Self.level(diagnostic.severity), "message": ["text": text],
            "locations": [["physicalLocation": place(diagnostic.file, diagnostic.range)]],
            "relatedLocations": related.isEmpty ? nil : related,
            "partialFingerprints": [Self.markName: mark],
        ]
        return result.withoutNulls
    }

    /// Lines and columns are counted from 1; the end is the place after the last character.
    private func place(_ file: String, _ range: TextRange) -> JSONObject {
        [
            "artifactLocation": ["uri": Self.uri(file), "uriBaseId": "%SRCROOT%"],
            "region": [
                "startLine": range.line, "startColumn": range.column, "endLine": range.endLine,
                "endColumn": range.endColumn,
            ],
        ]
    }

    /// Identifies a finding by its rule and the content of its line, even after the line has moved.
    ///
    /// Lines that name people are left out, since a short hash of a name can be guessed.
    private func mark(of diagnostic: Diagnostic) -> String {
        let line = diagnostic.excerpt.flatMap { $0.isPersonal ? nil : $0.text }
        let words = line?.split { $0 == " " || $0 == "\t" }.joined(separator: " ")
        return Fingerprint.of(
            diagnostic.rule, words ?? diagnostic.message.shown(maskingAudience: true))
    }

    /// A relative reference (RFC 3986, sections 2.3 and 4.2).
    private static func uri(_ path: String) -> String {
        PercentEncoding.encode(path, keeping: "/")
    }
}
