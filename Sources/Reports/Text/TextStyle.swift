/// Whether a text for people may have colours; whoever owns the terminal knows.
package enum TextStyle: Hashable, Sendable {
    /// For files, pipes, and where `NO_COLOR` is set.
    case plain
    /// ANSI escape sequences (ECMA-48, section 8.3.117).
    case colored

    enum Emphasis: Int, CaseIterable {
        case bold = 1
        case red = 31
        case green = 32
        case yellow = 33
    }

    /// All sequences that texts for people may have.
    package static let sequences = ([0] + Emphasis.allCases.map(\.rawValue)).map { sequence($0) }

    private static func sequence(_ number: Int) -> String { "\u{1B}[\(number)m" }

    func apply(_ emphasis: Emphasis?, to text: String) -> String {
        guard self == .colored, let emphasis else { return text }
        return Self.sequence(emphasis.rawValue) + text + Self.sequence(0)
    }
}
