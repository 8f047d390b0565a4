/// Combining marks, which Swift joins with the preceding sign into one character, although the
/// bytes still contain the sign.
package enum JoiningMarks {
    package static func around(_ sign: String) -> [String] {
        [
            "\u{D4E}" + sign, "\u{600}" + sign, sign + "\u{301}", "\u{D4E}" + sign + "\u{301}",
            "\u{600}" + sign + "\u{301}",
        ]
    }
}
