/// A text value: what it says and how it was written.
package struct YAMLScalar: Hashable, Sendable {
    /// How a scalar is written; only plain text can mean null, a boolean or a number.
    package enum Style: Sendable {
        case plain
        case singleQuoted
        case doubleQuoted
        /// Introduced by `|`: line breaks are kept.
        case literal
        /// Introduced by `>`: lines are joined.
        case folded
    }

    /// The text after unquoting, unescaping and folding.
    package let text: String

    /// How the text is written.
    package let style: Style

    /// Holds a text.
    ///
    /// - Parameters:
    ///   - text: the text that is meant.
    ///   - style: how it is written.
    package init(text: String, style: Style) {
        self.text = text
        self.style = style
    }
}
