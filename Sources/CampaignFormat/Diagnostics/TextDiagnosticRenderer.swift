import CampaignCore

/// Writes diagnostics for people: place and sentence, the source line, a caret line and a help line (contract, section 5).
package struct TextDiagnosticRenderer: DiagnosticRenderer {
    /// All sequences that coloured diagnostics may have.
    package static let sequences = ANSIStyle.allCases.map(\.rawValue) + [ANSIStyle.reset]

    private let isColored: Bool
    private let masksAudience: Bool

    /// Chooses the form.
    ///
    /// - Parameters:
    ///   - isColored: whether ANSI colours are used.
    ///   - masksAudience: whether usernames and their values are masked, as for public build logs.
    package init(isColored: Bool = false, masksAudience: Bool = false) {
        self.isColored = isColored
        self.masksAudience = masksAudience
    }

    package func render(_ diagnostics: [Diagnostic]) -> String {
        diagnostics.map(render).joined()
    }

    private func render(_ diagnostic: Diagnostic) -> String {
        let severity = diagnostic.severity.rawValue + ":"
        let color: ANSIStyle = diagnostic.severity == .error ? .red : .yellow
        let message = diagnostic.message.shown(maskingAudience: masksAudience)
        let place = place(diagnostic.file, diagnostic.range)
        var lines = [
            paint(place + ":", .bold) + " " + paint(severity, color) + " " + message
                + " [\(diagnostic.rule)]"
        ]
        if let excerpt = diagnostic.excerpt, !(masksAudience && excerpt.isPersonal) {
            lines += snippet(of: excerpt, for: diagnostic.range, color: color)
        }
        if let help = diagnostic.help { lines.append("  help: " + safe(help)) }
        for related in diagnostic.related {
            let text = related.message.shown(maskingAudience: masksAudience)
            lines.append("  note: " + self.place(related.file, related.range) + ": " + text)
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private func place(_ file: String, _ range: TextRange) -> String {
        "\(VisibleText.path(file)):\(range.line):\(range.column)"
    }

    private func safe(_ text: String) -> String {
        VisibleText.escape(SecretMask.apply(to: text))
    }

    private func snippet(
        of excerpt: Diagnostic.Excerpt, for range: TextRange, color: ANSIStyle
    ) -> [String] {
        let number = String(range.line)
        let gutter = String(repeating: " ", count: max(4, number.count))
        let scalars = Array(SecretMask.apply(to: excerpt.text).unicodeScalars)
        let before = min(max(0, range.column - excerpt.startColumn), scalars.count)
        let last = range.endLine == range.line ? range.endColumn : Int.max
        let length = max(0, min(last - excerpt.startColumn, scalars.count) - before)
        let lead = excerpt.startColumn > 1 ? "…" : ""
        var hashes = 0
        let left = VisibleText.escape(scalars[..<before], hashes: &hashes)
        let marked = VisibleText.escape(scalars[before..<(before + length)], hashes: &hashes)
        let right = VisibleText.escape(scalars[(before + length)...], hashes: &hashes)
        let indent = VisibleText.width(of: lead + left)
        let carets = String(repeating: "^", count: max(1, VisibleText.width(of: marked)))
        let source = lead + left + marked + right + (excerpt.isCutAtEnd ? "…" : "")
        return [
            gutter.dropLast(number.count) + number + " | " + source,
            gutter + " | " + String(repeating: " ", count: indent) + paint(carets, color),
        ]
    }

    private func paint(_ text: String, _ style: ANSIStyle) -> String {
        isColored ? style.rawValue + text + ANSIStyle.reset : text
    }
}

/// The terminal styles of diagnostics (ECMA-48, section 8.3.117).
private enum ANSIStyle: String, CaseIterable {
    case bold = "\u{1B}[1m"
    case red = "\u{1B}[1;31m"
    case yellow = "\u{1B}[1;33m"

    static let reset = "\u{1B}[0m"
}

/// Writes diagnostics in one format.
package protocol DiagnosticRenderer: Sendable {
    /// Writes them in the order given.
    ///
    /// - Parameter diagnostics: any number.
    /// - Returns: text that ends in a line feed unless it is empty.
    /// - Throws: when a value cannot be encoded.
    func render(_ diagnostics: [Diagnostic]) throws -> String
}
