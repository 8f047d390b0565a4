/// Whether a text for people may have colours; whoever owns the terminal knows.
package enum TextStyle: Hashable, Sendable {
    /// For files, pipes, and where `NO_COLOR` is set.
    case plain
    /// ANSI escape sequences (ECMA-48, section 8.3.117).
    case colored

    enum Emphasis: Int {
        case bold = 1
        case red = 31
        case green = 32
        case yellow = 33
    }

    func apply(_ emphasis: Emphasis?, to text: String) -> String {
        guard self == .colored, let emphasis else { return text }
        return "\u{1B}[\(emphasis.rawValue)m\(text)\u{1B}[0m"
    }
}
