package import CampaignCore

/// Writes all rules as a list, or one rule as a page.
package struct RulesText: Sendable {
    private static let longest = 78

    private let style: TextStyle
    private let width: Int?

    package init(style: TextStyle = .plain, width: Int? = nil) {
        self.style = style
        self.width = width
    }

    package func list() -> String {
        var table = TextTable([.left, .left, .wrapped], indent: 2)
        for group in Rule.groups {
            for rule in group.rules {
                table.append([rule.id, styled(rule.severity), rule.title])
            }
        }
        var lines = table.lines(within: width)[...]
        let groups = Rule.groups.map { group in
            defer { lines = lines.dropFirst(group.rules.count) }
            return ([style.apply(.bold, to: group.title)] + lines.prefix(group.rules.count))
                .map { $0 + "\n" }.joined()
        }
        return groups.joined(separator: "\n")
    }

    package func page(_ rule: Rule) -> String {
        let page = min(width ?? Self.longest, Self.longest)
        let title = "\(style.apply(.bold, to: rule.id)) (\(styled(rule.severity))): \(rule.title)"
        return """
            \(WrappedText.paragraph(title, width: width).joined(separator: "\n"))

            \(WrappedText.paragraph(rule.why, width: page).joined(separator: "\n"))

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
}
