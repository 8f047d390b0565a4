/// Text from a client, cleaned so that an answer can repeat it.
package enum ClientText {
    private static let longest = 60

    /// In quotes, at most 60 characters, with `?` for what is not printable ASCII.
    package static func quoted(_ text: String) -> String {
        let shown = text.unicodeScalars.prefix(longest).map { scalar in
            (0x20...0x7E).contains(scalar.value) ? Character(scalar) : "?"
        }
        return "\"" + String(shown) + (text.unicodeScalars.count > longest ? "…" : "") + "\""
    }
}
