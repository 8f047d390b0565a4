package import CampaignCore

/// Writes rules for people: all of them as a list, one as a page.
package struct RulesText: Sendable {
    /// How long a line of a page is.
    private static let width = 78

    private let style: TextStyle

    /// - Parameter style: whether it may have colours.
    package init(style: TextStyle = .plain) {
        self.style = style
    }

    /// All rules by group, a line each.
    package func list() -> String {
        let longest = RuleDescription.all.map(\.id.count).max() ?? 0
        let groups = RuleDescription.groups.map { group in
            let lines = group.rules.map { rule in
                let severity = rule.severity.rawValue
                let gap = String(repeating: " ", count: longest - rule.id.count + 2)
                let space = String(repeating: " ", count: 9 - severity.count)
                return "  \(rule.id)\(gap)\(styled(rule.severity))\(space)\(rule.title)\n"
            }
            return style.apply(.bold, to: group.title) + "\n" + lines.joined()
        }
        return groups.joined(separator: "\n")
    }

    /// What there is to say about a rule.
    package func page(_ rule: RuleDescription) -> String {
        """
        \(style.apply(.bold, to: rule.id)) (\(styled(rule.severity))): \(rule.title)

        \(Self.wrapped(rule.why))

        Wrong:

        \(Self.indented(rule.wrong))

        Right:

        \(Self.indented(rule.right))

        """
    }

    private func styled(_ severity: Diagnostic.Severity) -> String {
        style.apply(TextDiagnosticRenderer.emphasis(of: severity), to: severity.rawValue)
    }

    private static func indented(_ example: RuleExample) -> String {
        example.shown.map { $0.isEmpty ? "" : "    " + $0 }.joined(separator: "\n")
    }

    /// Breaks lines between words.
    private static func wrapped(_ text: String) -> String {
        var lines: [String] = []
        for word in text.split(separator: " ") {
            if let last = lines.last, last.count + 1 + word.count <= width {
                lines[lines.count - 1] = last + " " + word
            } else {
                lines.append(String(word))
            }
        }
        return lines.joined(separator: "\n")
    }
}
