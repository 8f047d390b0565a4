/// Combining marks, which Swift joins with the preceding character into one, although the bytes
/// still contain that character.
package enum JoiningMarks {
    package static func around(_ sign: String) -> [String] {
        [
            "\u{D4E}" + sign, "\u{600}" + sign, sign + "\u{301}", "\u{D4E}" + sign + "\u{301}",
            "\u{600}" + sign + "\u{301}",
        ]
    }
}
