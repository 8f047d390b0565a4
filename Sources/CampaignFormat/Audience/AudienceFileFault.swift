import CampaignCore

/// What is wrong at one place of an audience file.
package struct AudienceFileFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// The file's path as shown.
    let file: String
    let range: TextRange
    let rule: DiagnosticRule
    let message: DiagnosticMessage
    var help: String? = nil
    /// The line, where it could be read.
    var line: String? = nil
    /// Whether nothing after this place can be read.
    var isFinal = false

    package var description: String {
        let text =
            "Audience file \(file), line \(range.line), column \(range.column): \(message.text)"
        return VisibleText.escape(help.map { text + " " + $0 } ?? text)
    }

    /// The same for a person who checks the file.
    var diagnostic: Diagnostic {
        let shown = line.map {
            Diagnostic.Excerpt(line: $0, around: range.column, isPersonal: true)
        }
        return Diagnostic(
            file: file, range: range, severity: .error, rule: rule.rawValue, message: message,
            help: help, excerpt: shown)
    }
}
