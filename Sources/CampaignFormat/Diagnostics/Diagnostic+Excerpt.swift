import YAMLSyntax

extension Diagnostic {
    /// The part of a source line that shows a diagnostic's place.
    package struct Excerpt: Hashable, Sendable {
        /// How many characters are shown at most.
        static let longest = 160

        /// The text, without its line break.
        package let text: String
        /// The column of the first character of `text`; more than 1 where the line's start is left out.
        package let startColumn: Int
        package let isCutAtEnd: Bool
        /// Whether it names people or holds their values.
        package var isPersonal: Bool

        package init(text: String, startColumn: Int, isCutAtEnd: Bool, isPersonal: Bool) {
            self.text = text
            self.startColumn = startColumn
            self.isCutAtEnd = isCutAtEnd
            self.isPersonal = isPersonal
        }

        init(_ source: SourceText, around position: SourcePosition, isPersonal: Bool = false) {
            let excerpt = source.excerpt(around: position, maximumLength: Self.longest)
            self.init(
                text: excerpt.text, startColumn: excerpt.startColumn,
                isCutAtEnd: excerpt.isCutAtEnd, isPersonal: isPersonal)
        }
    }

    /// The same with another answer to what of the source line may be shown.
    func showing(_ excerpt: Excerpt?) -> Diagnostic {
        Diagnostic(
            file: file, range: range, severity: severity, rule: rule, message: message, help: help,
            related: related, excerpt: excerpt)
    }
}
