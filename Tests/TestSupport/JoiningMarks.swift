/// The marks that Swift joins with a sign beside them into a single character, though whoever reads bytes sees the sign.
package enum JoiningMarks {
    /// A sign with marks before it, behind it and on both sides.
    package static func around(_ sign: String) -> [String] {
        [
            "\u{D4E}" + sign, "\u{600}" + sign, sign + "\u{301}", "\u{D4E}" + sign + "\u{301}",
            "\u{600}" + sign + "\u{301}",
        ]
    }
}
