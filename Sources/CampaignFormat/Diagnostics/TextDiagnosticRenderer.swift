import CampaignCore

/// Writes findings for people to read: the place and the message, the source line, carets and help.
package struct TextDiagnosticRenderer: Sendable {
    private let style: TextStyle
    private let masksAudience: Bool
    private let width: Int?

    /// - Parameter width: the terminal's columns, for wrapping sentences; nil means no wrapping.
    package init(isColored: Bool = false, masksAudience: Bool = false, width: Int? = nil) {
        self.width = width
        style = isColored ? .colored : .plain
        self.masksAudience = masksAudience
    }

    package func render(_ diagnostics: [Diagnostic]) -> String {
        diagnostics.map(render).joined()
    }

    private func render(_ diagnostic: Diagnostic) -> String {
        let severity = diagnostic.severity.rawValue + ":"
        let color = Self.emphasis(of: diagnostic.severity)
        let message = diagnostic.shownMessage(maskingAudience: masksAudience)
        let place = place(diagnostic.file, diagnostic.range)
        let head =
            style.apply(.bold, to: place + ":") + " " + style.apply(color, to: severity) + " "
            + message + " [\(diagnostic.rule)]"
        var lines = wrapped(head, indent: 4)
        if let excerpt = diagnostic.excerpt, !(masksAudience && excerpt.isPersonal) {
            lines += snippet(of: excerpt, for: diagnostic.range, color: color)
        }
        if let help = diagnostic.help {
            lines += wrapped("  help: " + help.shown(maskingAudience: masksAudience), indent: 8)
        }
        for related in diagnostic.related {
            let text = related.message.shown(maskingAudience: masksAudience)
            let place = self.place(related.file, related.range)
            lines += wrapped("  note: \(place): \(text)", indent: 8)
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private func wrapped(_ sentence: String, indent: Int) -> [String] {
        WrappedText.paragraph(
            sentence, width: width, indent: String(repeating: " ", count: indent), keepsWords: true)
    }

    static func emphasis(of severity: Diagnostic.Severity) -> TextStyle.Emphasis {
        switch severity {
        case .error: .boldRed
        case .warning: .boldYellow
        case .hint: .boldCyan
        }
    }

    private func place(_ file: String, _ range: TextRange) -> String {
        "\(VisibleText.path(file)):\(range.line):\(range.column)"
    }

    private func snippet(
        of excerpt: Diagnostic.Excerpt, for range: TextRange, color: TextStyle.Emphasis
    ) -> [String] {
        let number = String(range.line)
        let gutter = String(repeating: " ", count: max(4, number.count))
        let room = width.map { max(20, $0 - gutter.count - 5) } ?? .max
        let excerpt = excerpt.cut(to: room, around: range.column)
        let scalars = Array(excerpt.text.unicodeScalars)
        let before = min(max(0, range.column - excerpt.startColumn), scalars.count)
        let last = range.endLine == range.line ? range.endColumn : Int.max
        let length = max(0, min(last - excerpt.startColumn, scalars.count) - before)
        let lead = excerpt.startColumn > 1 ? "…" : ""
        var progress = VisibleText.Progress()
        let left = VisibleText.escape(scalars[..<before], after: &progress)
        let marked = VisibleText.escape(scalars[before..<(before + length)], after: &progress)
        let right = VisibleText.escape(scalars[(before + length)...], after: &progress)
        let indent = VisibleText.width(of: lead + left)
        let carets = String(repeating: "^", count: max(1, VisibleText.width(of: marked)))
        let source = lead + left + marked + right + (excerpt.isCutAtEnd ? "…" : "")
        return [
            gutter.dropLast(number.count) + number + " | " + source,
            gutter + " | " + String(repeating: " ", count: indent)
                + style.apply(color, to: carets),
        ]
    }
}
