/// Cleans text from a client so that a response or a log can repeat it.
package enum ClientText {
    /// Returns the text in quotes, with `?` for everything but printable ASCII; `longest` is in
    /// characters.
    package static func quoted(_ text: String, longest: Int = 60) -> String {
        let shown = text.unicodeScalars.prefix(longest).map { scalar in
            (0x20...0x7E).contains(scalar.value) ? Character(scalar) : "?"
        }
        return "\"" + String(shown) + (text.unicodeScalars.count > longest ? "…" : "") + "\""
    }
}
