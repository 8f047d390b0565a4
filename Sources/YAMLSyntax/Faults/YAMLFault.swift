/// Something wrong with a file as YAML, with its place.
///
/// No text of the file is in the message but keys, so that it can be logged.
package struct YAMLFault: Error, Hashable, Sendable {
    /// A second place that a fault is about.
    package struct Related: Hashable, Sendable {
        /// What is there, as a full sentence.
        package let message: String

        /// Where it is.
        package let range: SourceRange
    }

    /// Which rule the file breaks.
    package let rule: Rule

    /// What is wrong, as a full sentence.
    package let message: String

    /// Where it is wrong.
    package let range: SourceRange

    /// A second place, such as the first of two equal keys.
    package let related: Related?

    /// What to do about it, as a full sentence.
    package let help: String?

    init(
        _ rule: Rule, _ message: String, at range: SourceRange, related: Related? = nil,
        help: String? = nil
    ) {
        self.rule = rule
        self.message = message
        self.range = range
        self.related = related
        self.help = help
    }
}

extension YAMLFault: CustomStringConvertible {
    /// Place and message, without the help.
    package var description: String {
        "line \(range.start.line), column \(range.start.column): \(message)"
    }
}
