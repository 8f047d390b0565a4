/// Quotes words so that people can paste them into a shell.
package enum ShellWord {
    /// Puts a word in single quotes if the shell requires them.
    package static func quoted(_ word: String) -> String {
        let isPlain = word.utf8.allSatisfy { $0.isAlphanumeric(or: "-_./:=@+,") }
        if isPlain, !word.isEmpty { return word }
        guard VisibleText.escape(word) == word else { return written(word) }
        return "'" + word.replacingBytes("'", with: #"'\''"#) + "'"
    }

    /// Whether text contains only letters with their marks, digits and `signs`.
    ///
    /// Scalars are checked, because a letter such as U+0D4E merges with the character after it.
    package static func isPlain(_ text: String, besides signs: String) -> Bool {
        text.unicodeScalars.allSatisfy { scalar in
            if scalar.isASCII, signs.unicodeScalars.contains(scalar) { return true }
            let properties = scalar.properties
            let isMark = [.nonspacingMark, .spacingMark].contains(properties.generalCategory)
            return (properties.isAlphabetic || properties.numericType != nil || isMark)
                && !properties.isDefaultIgnorableCodePoint
        }
    }

    /// Writes invisible characters as escapes in `$'…'`, which bash, zsh and ksh understand.
    private static func written(_ word: String) -> String {
        var command = BuildLogCommand()
        let letters = word.unicodeScalars.map { scalar -> String in
            switch scalar {
            // An octal escape has at most three digits, regardless of what follows.
            case _ where command.isFormed(by: scalar): return #"\133"#
            case "'", "\\": return "\\" + String(scalar)
            case _ where VisibleText.escape(String(scalar)) == String(scalar):
                return String(scalar)
            default:
                let digits = String(scalar.value, radix: 16)
                let (mark, count) = scalar.isASCII ? ("x", 2) : ("U", 8)
                return "\\" + mark + String(repeating: "0", count: count - digits.count) + digits
            }
        }
        return "$'" + letters.joined() + "'"
    }
}
