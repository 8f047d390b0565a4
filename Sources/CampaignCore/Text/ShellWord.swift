/// A word as a person can paste it into a shell.
package enum ShellWord {
    /// Puts a word in single quotes where a shell would read it otherwise.
    package static func quoted(_ word: String) -> String {
        let isPlain = word.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
                UInt8(ascii: "."), UInt8(ascii: "/"), UInt8(ascii: ":"), UInt8(ascii: "="),
                UInt8(ascii: "@"), UInt8(ascii: "+"), UInt8(ascii: ","):
                true
            default:
                false
            }
        }
        if isPlain, !word.isEmpty { return word }
        guard VisibleText.escape(word) == word else { return written(word) }
        return "'" + word.replacing("'", with: #"'\''"#) + "'"
    }

    /// Writes a word that has invisible characters in `$'…'`: bash, zsh and ksh take characters by number there.
    private static func written(_ word: String) -> String {
        let letters = word.unicodeScalars.map { scalar -> String in
            switch scalar {
            case "'", "\\": return "\\" + String(scalar)
            case _ where VisibleText.escape(String(scalar)) == String(scalar):
                return String(scalar)
            default:
                let digits = String(scalar.value, radix: 16)
                let (mark, count) = scalar.isASCII ? ("x", 2) : ("U", 8)
                return "\\" + mark + String(repeating: "0", count: count - digits.count) + digits
            }
        }
        // The old form of a build log's command.
        return "$'" + letters.joined().replacing("##[", with: #"#\x23["#) + "'"
    }
}
