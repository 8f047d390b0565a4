import YAMLSyntax

/// The text of a file, and behind it that of the config whose `defaults` stand in for keys of the file.
///
/// Both are one text, so that a place in either is a range of it, and who reads values need not know that there are two.
struct SourceFiles: Sendable {
    /// The file's path as shown.
    let file: String
    /// Empty until the file is parsed.
    private(set) var text = SourceText([])
    private var config: (file: String, start: SourcePosition)?
    /// Where people are named.
    private var personal: [SourceRange] = []

    init(file: String) {
        self.file = file
    }

    /// Takes the file's text.
    mutating func take(_ text: SourceText) {
        self.text = text
    }

    /// Puts the config's text behind the file's.
    mutating func append(_ config: SourceText, of file: String) {
        let bytes = text.bytes + [UInt8(ascii: "\n")]
        text = SourceText(bytes + config.bytes)
        self.config = (file, text.position(atByte: bytes.count))
    }

    /// Notes lines that name people.
    mutating func notePersonal(_ range: SourceRange) {
        personal.append(range)
    }

    /// Where a place in the config alone stands in the whole text.
    func place(ofConfig range: SourceRange) -> SourceRange {
        guard let start = config?.start else { return range }
        func moved(_ position: SourcePosition) -> SourcePosition {
            SourcePosition(
                line: position.line + start.line - 1, column: position.column,
                offset: position.offset + start.offset)
        }
        return SourceRange(start: moved(range.start), end: moved(range.end))
    }

    /// The file in which a place is, and where in it.
    func place(of range: SourceRange) -> (file: String, range: TextRange) {
        guard let config, range.start.offset >= config.start.offset else {
            return (file, TextRange(range))
        }
        let lines = config.start.line - 1
        let place = TextRange(
            line: range.start.line - lines, column: range.start.column,
            endLine: range.end.line - lines, endColumn: range.end.column)
        return (config.file, place)
    }

    /// The line of a place, to be shown.
    ///
    /// - Parameter isPersonal: whether it may name people, also where that was not noted.
    func excerpt(
        around position: SourcePosition, isPersonal: Bool = false
    ) -> Diagnostic.Excerpt {
        let isNoted = personal.contains {
            ($0.start.line...$0.end.line).contains(position.line)
        }
        return Diagnostic.Excerpt(text, around: position, isPersonal: isPersonal || isNoted)
    }
}
