/// The text of a file, followed by the text of the config whose `defaults` it uses.
///
/// A place in either file is a range in the joined text, so readers do not have to distinguish the
/// files.
struct SourceFiles: Sendable {
    let file: String
    /// The joined text; empty until the file is parsed.
    private(set) var text = SourceText([])
    private var config: (file: String, start: SourcePosition)?
    /// Places in the config are measured from the start of the joined text.
    private(set) var people: [SourceRange] = []
    /// Whether a part could not be read, so that any line may name people.
    private var isPartial = false

    init(file: String) {
        self.file = file
    }

    mutating func take(_ text: SourceText) {
        self.text = text
    }

    mutating func take(people: [SourceRange]) {
        self.people += people
    }

    /// Records that any line may name people.
    mutating func noteUnreadablePart() {
        isPartial = true
    }

    mutating func append(_ config: SourceText, of file: String, people: [SourceRange]) {
        let bytes = text.bytes + [UInt8(ascii: "\n")]
        text = SourceText(bytes + config.bytes)
        self.config = (file, text.position(atByte: bytes.count))
        self.people += people.map { place(ofConfig: $0) }
    }

    /// Maps a place in the config to one in the joined text.
    func place(ofConfig range: SourceRange) -> SourceRange {
        guard let start = config?.start else { return range }
        func moved(_ position: SourcePosition) -> SourcePosition {
            SourcePosition(
                line: position.line + start.line - 1, column: position.column,
                offset: position.offset + start.offset)
        }
        return SourceRange(start: moved(range.start), end: moved(range.end))
    }

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

    /// - Parameter isPersonal: true if the place is about people, even if the line names nobody.
    func excerpt(
        around position: SourcePosition, isPersonal: Bool = false
    ) -> Diagnostic.Excerpt {
        Diagnostic.Excerpt(
            text, around: position, isPersonal: isPersonal || mayNamePeople(position))
    }

    /// Makes a finding, with the severity of its rule unless another is given.
    ///
    /// - Parameter isPersonal: true if the finding is about people, even if the line names nobody.
    func finding(
        _ rule: Rule, _ severity: Diagnostic.Severity? = nil, at range: SourceRange,
        isPersonal: Bool = false, showsLine: Bool = true, _ message: DiagnosticMessage,
        help: DiagnosticMessage? = nil, related: [Diagnostic.Related] = []
    ) -> Diagnostic {
        let place = place(of: range)
        return Diagnostic(
            rule, severity, in: place.file, at: place.range, message, help: help,
            related: related,
            excerpt: showsLine ? excerpt(around: range.start, isPersonal: isPersonal) : nil)
    }

    private func mayNamePeople(_ position: SourcePosition) -> Bool {
        if isPartial, config.map({ position.offset < $0.start.offset }) ?? true { return true }
        return people.contains { range in
            // A range that ends at column 1 does not include that line.
            let last = range.end.column == 1 ? range.end.line - 1 : range.end.line
            return range.start.line <= position.line && position.line <= last
        }
    }
}
