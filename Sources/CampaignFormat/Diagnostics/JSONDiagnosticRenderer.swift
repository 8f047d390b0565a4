import CampaignCore

/// Writes diagnostics as one JSON array.
package struct JSONDiagnosticRenderer: Sendable {
    private let masksAudience: Bool

    package init(masksAudience: Bool = false) {
        self.masksAudience = masksAudience
    }

    package func render(_ diagnostics: [Diagnostic]) throws -> String {
        String(decoding: try diagnostics.map(object).document(), as: UTF8.self)
    }

    private func object(_ diagnostic: Diagnostic) -> JSONObject {
        let range = diagnostic.range
        return [
            "file": VisibleText.escape(diagnostic.file), "line": range.line,
            "column": range.column, "end_line": range.endLine, "end_column": range.endColumn,
            "severity": diagnostic.severity, "rule": diagnostic.rule,
            "message": diagnostic.message.shown(maskingAudience: masksAudience),
            "help": diagnostic.help?.shown(maskingAudience: masksAudience),
        ]
    }
}
