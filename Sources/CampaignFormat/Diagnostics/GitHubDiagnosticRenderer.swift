import CampaignCore

/// Writes workflow commands, which GitHub shows next to the lines of a pull request.
///
/// Each command is one line, with the same escapes as `escapeData` and `escapeProperty` of the
/// actions toolkit, so text from a file cannot form a command.
package struct GitHubDiagnosticRenderer: Sendable {
    private let masksAudience: Bool

    package init(masksAudience: Bool = true) {
        self.masksAudience = masksAudience
    }

    /// - Parameter diagnostics: findings whose places are in the repository.
    package func render(_ diagnostics: [Diagnostic]) -> String {
        diagnostics.map(render).joined()
    }

    private func render(_ diagnostic: Diagnostic) -> String {
        let range = diagnostic.range
        var properties = [
            ("title", diagnostic.rule),
            ("file", VisibleText.escape(diagnostic.file)),
            ("line", "\(range.line)"), ("endLine", "\(range.endLine)"),
        ]
        // GitHub only accepts columns within one line.
        if range.line == range.endLine {
            properties.append(("col", "\(range.column)"))
            properties.append(("endColumn", "\(range.endColumn)"))
        }
        let list = properties.map { "\($0.0)=\(Self.property($0.1))" }.joined(separator: ",")
        return "::\(Self.command(diagnostic.severity)) \(list)::\(Self.data(text(diagnostic)))\n"
    }

    /// The text includes the place, because the build's log shows nothing else.
    private func text(_ diagnostic: Diagnostic) -> String {
        let place =
            "\(VisibleText.escape(diagnostic.file)):\(diagnostic.range.line):\(diagnostic.range.column)"
        let message = diagnostic.shownMessage(maskingAudience: masksAudience)
        var lines = ["\(place): \(message) [\(diagnostic.rule)]"]
        if let help = diagnostic.help {
            lines.append("help: " + help.shown(maskingAudience: masksAudience))
        }
        lines += diagnostic.related.map {
            "note: \(VisibleText.escape($0.file)):\($0.range.line): "
                + $0.message.shown(maskingAudience: masksAudience)
        }
        return lines.joined(separator: "\n")
    }

    private static func command(_ severity: Diagnostic.Severity) -> String {
        switch severity {
        case .error: "error"
        case .warning: "warning"
        case .hint: "notice"
        }
    }

    private static func data(_ text: String) -> String {
        text.replacingBytes("%", with: "%25").replacingBytes("\r", with: "%0D")
            .replacingBytes("\n", with: "%0A")
    }

    private static func property(_ text: String) -> String {
        data(text).replacingBytes(":", with: "%3A").replacingBytes(",", with: "%2C")
    }
}
