/// Whether a text for people may have colours, which depends on the terminal.
package enum TextStyle: Hashable, Sendable {
    /// For files, pipes, and where `NO_COLOR` is set.
    case plain
    /// ANSI escape sequences (ECMA-48, section 8.3.117).
    case colored

    package enum Emphasis: String, CaseIterable, Sendable {
        case bold = "1"
        case red = "31"
        case green = "32"
        case yellow = "33"
        case boldRed = "1;31"
        case boldYellow = "1;33"
        case boldCyan = "1;36"
    }

    private static let reset = "\u{1B}[0m"

    /// All sequences that texts for people may have.
    package static let sequences = Emphasis.allCases.map(sequence) + [reset]

    private static func sequence(_ emphasis: Emphasis) -> String {
        "\u{1B}[\(emphasis.rawValue)m"
    }

    /// Emphasises a text; returns it as it is where there are no colours or is no emphasis.
    package func apply(_ emphasis: Emphasis?, to text: String) -> String {
        guard self == .colored, let emphasis else { return text }
        return Self.sequence(emphasis) + text + Self.reset
    }
}
