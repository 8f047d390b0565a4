/// Combining marks, which Swift joins with a sign into one character, though bytes still show the
/// sign.
package enum JoiningMarks {
    package static func around(_ sign: String) -> [String] {
        [
            "\u{D4E}" + sign, "\u{600}" + sign, sign + "\u{301}", "\u{D4E}" + sign + "\u{301}",
            "\u{600}" + sign + "\u{301}",
        ]
    }
}
