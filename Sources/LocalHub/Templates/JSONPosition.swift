/// Whether a JSON reader is inside or outside a string.
struct JSONPosition {
    private(set) var isInString = false
    /// Whether the string has just started.
    private(set) var hasJustOpened = false
    /// Whether the last character was a backslash.
    private(set) var isEscaped = false

    mutating func pass(_ character: Character) {
        // A quotation mark ends a string, even if combining marks follow it.
        for scalar in character.unicodeScalars {
            hasJustOpened = false
            if isEscaped {
                isEscaped = false
            } else if scalar == "\\" {
                isEscaped = isInString
            } else if scalar == "\"" {
                isInString.toggle()
                hasJustOpened = isInString
            }
        }
    }

    /// Skips an expression, whose text never ends a string.
    mutating func passExpression() {
        hasJustOpened = false
    }

    /// Whether the preceding text is a member's name.
    static func isName(before text: Substring) -> Bool {
        text.first { !$0.isWhitespace } == ":"
    }
}
