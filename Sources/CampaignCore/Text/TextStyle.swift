/// Whether text may have colours.
package enum TextStyle: Hashable, Sendable {
    /// A style without colours, for files, pipes and `NO_COLOR`.
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

    package static let sequences = Emphasis.allCases.map(sequence) + [reset]

    private static func sequence(_ emphasis: Emphasis) -> String {
        "\u{1B}[\(emphasis.rawValue)m"
    }

    /// Returns the text unchanged without colours or emphasis.
    package func apply(_ emphasis: Emphasis?, to text: String) -> String {
        guard self == .colored, let emphasis else { return text }
        return Self.sequence(emphasis) + text + Self.reset
    }
}
