import CampaignCore
import FoundationEssentials

/// Writes diagnostics for programs: one JSON array (contract, section 5).
package struct JSONDiagnosticRenderer: DiagnosticRenderer {
    private let masksAudience: Bool

    /// Chooses the form.
    ///
    /// - Parameter masksAudience: whether usernames and their values are masked, as for public build logs.
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
            help: diagnostic.help.map(safe))
    }

    private func safe(_ text: String) -> String {
        VisibleText.escape(SecretMask.apply(to: text))
    }
}
