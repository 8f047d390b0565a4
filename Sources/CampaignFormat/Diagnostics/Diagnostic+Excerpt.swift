import YAMLSyntax

extension Diagnostic {
    /// The part of a source line that shows a diagnostic's place.
    package struct Excerpt: Hashable, Sendable {
        /// How many characters are shown at most.
        static let longest = 160
        /// How many characters before the first one shown tell whether a secret began there.
        private static let reach = 2_048

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
            var text = excerpt.text
            if excerpt.startColumn > 1 {
                let wide = source.excerpt(around: position, maximumLength: 2 * Self.reach)
                text = Self.masked(
                    wide.text, leavingOut: excerpt.startColumn - wide.startColumn)
            }
            self.init(
                text: text, startColumn: excerpt.startColumn,
                isCutAtEnd: excerpt.isCutAtEnd, isPersonal: isPersonal)
        }

        /// Shows a line that is at hand.
        init(line: String, around column: Int, isPersonal: Bool) {
            let start = column > Self.longest * 3 / 4 ? column - Self.longest / 2 : 1
            let first = max(1, start - Self.reach)
            let rest = line.unicodeScalars.dropFirst(first - 1)
            let wide = rest.prefix(start - first + Self.longest)
            self.init(
                text: Self.masked(
                    String(String.UnicodeScalarView(wide)), leavingOut: start - first),
                startColumn: start, isCutAtEnd: rest.count > wide.count, isPersonal: isPersonal)
        }

        /// Masks first and cuts then, since what is left of a secret tells nobody that it was one.
        private static func masked(_ text: String, leavingOut count: Int) -> String {
            let scalars = SecretMask.apply(to: text).unicodeScalars
            return String(
                String.UnicodeScalarView(scalars.dropFirst(max(0, count)).prefix(longest)))
        }
    }

    /// The same with another answer to what of the source line may be shown.
    func showing(_ excerpt: Excerpt?) -> Diagnostic {
        Diagnostic(
            file: file, range: range, severity: severity, rule: rule, message: message, help: help,
            related: related, excerpt: excerpt)
    }
}
