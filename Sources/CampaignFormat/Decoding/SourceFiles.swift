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
    /// Where people may be named; places in the config's text stand where they do in the whole.
    private(set) var people: [SourceRange] = []
    /// Whether a part of the file could not be read, in which people may be named.
    private var isPartial = false

    init(file: String) {
        self.file = file
    }

    /// Takes the file's text.
    mutating func take(_ text: SourceText) {
        self.text = text
    }

    /// Takes where the file may name people.
    mutating func take(people: [SourceRange]) {
        self.people += people
    }

    /// Takes every line of the file for one that may name people.
    mutating func noteFault() {
        isPartial = true
    }

    /// Puts the config's text behind the file's.
    ///
    /// - Parameters:
    ///   - config: the text.
    ///   - file: its path as shown.
    ///   - people: where it names people.
    mutating func append(_ config: SourceText, of file: String, people: [SourceRange]) {
        let bytes = text.bytes + [UInt8(ascii: "\n")]
        text = SourceText(bytes + config.bytes)
        self.config = (file, text.position(atByte: bytes.count))
        self.people += people.map { place(ofConfig: $0) }
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
    /// - Parameters:
    ///   - position: the place.
    ///   - isPersonal: whether it is about people, whatever else the line says.
    func excerpt(
        around position: SourcePosition, isPersonal: Bool = false
    ) -> Diagnostic.Excerpt {
        Diagnostic.Excerpt(
            text, around: position, isPersonal: isPersonal || mayNamePeople(position))
    }

    private func mayNamePeople(_ position: SourcePosition) -> Bool {
        if isPartial, config.map({ position.offset < $0.start.offset }) ?? true { return true }
        return people.contains { range in
            // What ends in front of a line has nothing in it.
            let last = range.end.column == 1 ? range.end.line - 1 : range.end.line
            return range.start.line <= position.line && position.line <= last
        }
    }
}
