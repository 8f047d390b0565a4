/// Where a reader of JSON is: inside a string or outside.
struct JSONPosition {
    private(set) var isInString = false
    /// Whether the string has just begun.
    private(set) var hasJustOpened = false
    /// Whether a backslash came last.
    private(set) var isEscaped = false

    mutating func pass(_ character: Character) {
        // A quote ends a string whatever combining marks follow it.
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

    /// Passes an expression, whose text never ends a string.
    mutating func passExpression() {
        hasJustOpened = false
    }

    /// Whether what comes before a text is a member's name.
    static func isName(before text: Substring) -> Bool {
        text.first { !$0.isWhitespace } == ":"
    }
}
