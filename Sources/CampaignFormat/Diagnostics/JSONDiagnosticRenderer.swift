import CampaignCore
import FoundationEssentials

/// Writes diagnostics as one JSON array.
package struct JSONDiagnosticRenderer: Sendable {
    private let masksAudience: Bool

    package init(masksAudience: Bool = false) {
        self.masksAudience = masksAudience
    }

    package func render(_ diagnostics: [Diagnostic]) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let data = try encoder.encode(diagnostics.map(row))
        return String(decoding: data, as: UTF8.self) + "\n"
    }

    private func row(for diagnostic: Diagnostic) -> DiagnosticRow {
        DiagnosticRow(
            file: VisibleText.escape(diagnostic.file), range: diagnostic.range,
            severity: diagnostic.severity, rule: diagnostic.rule,
            message: diagnostic.message.shown(maskingAudience: masksAudience),
            help: diagnostic.help?.shown(maskingAudience: masksAudience))
    }
}

private struct DiagnosticRow: Encodable {
    let file: String
    let range: TextRange
    let severity: Diagnostic.Severity
    let rule: String
    let message: String
    let help: String?

    private enum CodingKeys: String, CodingKey {
        case file, line, column, severity, rule, message, help
        case endLine = "end_line"
        case endColumn = "end_column"
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(file, forKey: .file)
        try container.encode(range.line, forKey: .line)
        try container.encode(range.column, forKey: .column)
        try container.encode(range.endLine, forKey: .endLine)
        try container.encode(range.endColumn, forKey: .endColumn)
        try container.encode(severity, forKey: .severity)
        try container.encode(rule, forKey: .rule)
        try container.encode(message, forKey: .message)
        try container.encode(help, forKey: .help)
    }
}
