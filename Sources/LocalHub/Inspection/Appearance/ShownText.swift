/// Text out of a push, made fit to be shown in a list.
enum ShownText {
    /// The most characters of a text.
    static let longest = 1_000

    /// The text without control characters, cut where it is too long; nil when nothing of it would show.
    static func make(_ text: String) -> String? {
        let scalars = text.unicodeScalars
        var shown = String.UnicodeScalarView()
        for scalar in scalars.prefix(longest) {
            shown.append(scalar.properties.generalCategory == .control ? " " : scalar)
        }
        guard shown.contains(where: { !$0.properties.isWhitespace }) else { return nil }
        return String(shown) + (scalars.dropFirst(longest).isEmpty ? "" : "…")
    }
}
