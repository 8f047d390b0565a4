/// Where in a JSON text a reader is: inside a string or outside.
struct JSONPosition {
    /// Whether a string has begun and not ended.
    private(set) var isInString = false
    /// Whether nothing stands between the beginning of the string and here.
    private(set) var hasJustOpened = false
    /// Whether a backslash came last, so that the next character belongs to it.
    private(set) var isEscaped = false

    /// Goes past a character of the text.
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

    /// Goes past an expression, whose text never ends a string.
    mutating func passExpression() {
        hasJustOpened = false
    }

    /// Whether what comes before a text is a member's name.
    static func isName(before text: Substring) -> Bool {
        text.first { !$0.isWhitespace } == ":"
    }
}
