import CampaignCore

/// A bar in SVG that stretches to the width of the page; the figures are text next to it.
struct DrawnBar {
    /// The CSS of the outcomes, with a class for each outcome that sets `--mark`.
    static let colours: [UInt8] = {
        func root(_ colour: (Outcome) -> String) -> String {
            let lines = Outcome.allCases.map { "--\($0.rawValue): \(colour($0));" }
            return ":root { \(lines.joined(separator: " ")) }\n"
        }
        let classes = Outcome.allCases.map {
            ".\($0.rawValue) { --mark: var(--\($0.rawValue)); }\n"
        }
        let style =
            root { $0.facts.colours.light } + "@media screen and (prefers-color-scheme: dark) {\n"
            + root { $0.facts.colours.dark } + "}\n" + classes.joined()
        return Array(style.utf8)
    }()

    private let parts: [(outcome: Outcome, count: Int)]
    private let whole: Int

    /// - Parameter whole: the value that fills the bar; at least the sum of the parts.
    init(_ parts: [(Outcome, Int)], of whole: Int) {
        self.parts = parts.map { (outcome: $0.0, count: $0.1) }
        self.whole = whole
    }

    func svg() -> String {
        var start = 0
        let bars = parts.filter { $0.count > 0 }.map { part in
            defer { start += part.count }
            return """
                <rect class="\(part.outcome.rawValue)" x="\(Self.length(start, of: whole))" y="0" \
                width="\(Self.length(part.count, of: whole, least: 2))" height="1"/>
                """
        }
        return """
            <svg class="bar" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true" focusable="false">\(bars.joined())</svg>
            """
    }

    /// Returns a percentage with two decimal places.
    ///
    /// - Parameter least: the minimum in tenths of a percent, so that one in a million is visible.
    static func length(_ part: Int, of whole: Int, least: Int = 0) -> String {
        guard whole > 0 else { return "0" }
        let share = Double(part) / Double(whole) * 10_000
        let hundredths = max(Int(min(share, 10_000).rounded()), least * 10)
        let rest = hundredths % 100
        return "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest)"
    }
}
