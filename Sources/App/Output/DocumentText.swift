import CampaignCore

/// Writes a document as text, for terminals and for programs that search its lines.
struct DocumentText {
    /// The minimum widths of labels and of the values after them, in columns.
    private static let (labels, least) = (12, 24)
    /// The maximum number of lines of text from a file.
    private static let mostLines = 40
    /// A width that is larger than any line.
    private static let endless = 1 << 20

    var style = TextStyle.plain
    /// The width in columns; nil if lines are not broken.
    var width: Int?
    /// The maximum number of characters of text from a file.
    var longestQuote = 4_000
    /// The text after the titles of sections.
    var titleEnd = ""
    /// Whether words that are too long for a line are not broken, so that they can be copied.
    var keepsWords = true

    /// Writes blocks with an empty line between them.
    func text(of blocks: [Document.Block]) -> String {
        separated(blocks).map { $0 + "\n" }.joined()
    }

    func separated(_ blocks: [Document.Block]) -> [String] {
        Array(blocks.map(lines).filter { !$0.isEmpty }.joined(separator: [""]))
    }

    private func lines(of block: Document.Block) -> [String] {
        switch block {
        case .title, .drawing: []
        case .paragraph(let phrase, let emphasis): hanging("", phrase, emphasis)
        case .lines(let phrases, let emphasis): phrases.flatMap { hanging("  ", $0, emphasis) }
        case .facts(let facts):
            facts.flatMap { fact in hanging(label(fact.label, among: facts), fact.value) }
        case .remarks(let title, let remarks):
            [heading(title)]
                + remarks.flatMap { hanging("  " + style.apply(.yellow, to: "!") + " ", $0) }
        case .table(let table): lines(of: table)
        case .quote(let label, let text): quoted(label, text)
        case .code(let lines): lines.map { VisibleText.lines($0) }
        case .section(let title, _, let blocks), .fold(let title, let blocks):
            [heading(title)] + blocks.flatMap(lines)
        case .group(let blocks): blocks.flatMap(lines)
        }
    }

    private func heading(_ title: String) -> String { style.apply(.bold, to: title + titleEnd) }

    private func label(_ label: String, among facts: [Document.Fact]) -> String {
        let longest = facts.map { VisibleText.width(of: $0.label) }.max() ?? 0
        return "  " + VisibleText.padded(label, to: max(Self.labels, longest + 2))
    }

    /// Writes a phrase after a prefix on its first line; the other lines are indented by the
    /// prefix's width.
    private func hanging(
        _ beginning: String, _ phrase: Phrase, _ emphasis: TextStyle.Emphasis? = nil
    ) -> [String] {
        let indent = VisibleText.width(of: beginning)
        let lines = WrappedText.paragraph(
            phrase.text(style), width: width.map { max(Self.least, $0 - indent) },
            keepsWords: keepsWords)
        return lines.enumerated().map { number, line in
            (number == 0 ? beginning : String(repeating: " ", count: indent))
                + style.apply(emphasis, to: line)
        }
    }

    /// Writes text from a file, with a bar before each line.
    ///
    /// Without the bar, a build server could mistake a line for a command.
    private func quoted(_ label: String, _ text: String) -> [String] {
        let shown = VisibleText.lines(String(text.prefix(longestQuote)))
        let all = WrappedText.lines(
            shown.replacing("\t", with: "    "), width: (width ?? Self.endless) - Self.labels - 4)
        var lines = Array(all.prefix(Self.mostLines))
        if all.count > lines.count || text.count > longestQuote { lines.append("…") }
        return lines.enumerated().map { number, line in
            "  " + VisibleText.padded(number == 0 ? label : "", to: Self.labels) + "| " + line
        }
    }

    /// Writes the headings, if they are shown, and one line for each row; long lines are broken.
    func lines(of table: Document.Table) -> [String] {
        let shown = table.columns.indices.filter { !table.columns[$0].isOnlyOnPages }
        var text = TextTable(
            shown.map { table.columns[$0].text }, indent: table.isList ? 0 : 2)
        if table.hasHeads { text.append(shown.map { table.columns[$0].head }) }
        for row in table.rows { text.append(shown.map { row.cells[$0].text }) }
        var lines = text.lines(within: width)
        let first = table.hasHeads ? 1 : 0
        if table.isList { lines[0] = style.apply(.bold, to: lines[0]) }
        for (number, row) in table.rows.enumerated() {
            let note = row.note.map { "\n    " + $0 } ?? ""
            lines[first + number] = style.apply(row.emphasis, to: lines[first + number] + note)
        }
        return lines
    }
}

extension Document {
    /// - Parameter width: in columns; nil if lines are not broken.
    func text(_ style: TextStyle = .plain, width: Int? = nil) -> String {
        DocumentText(style: style, width: width, titleEnd: ":").text(of: blocks)
    }
}

extension Invocation {
    /// Writes a document to stdout, with the width and colours that the terminal allows.
    func show(_ document: Document) throws {
        try Console.output(
            document.text(outputStyle, width: Console.outputColumns), style: outputStyle)
    }
}
