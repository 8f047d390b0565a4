import CampaignCore

/// Writes a document as Markdown for a comment.
///
/// Text from files appears only in code, so that it can neither format the comment nor mention
/// anybody. Folded parts are plain text in a code block.
struct DocumentMarkdown {
    private static let folded = DocumentText(longestQuote: 1_000, keepsWords: false)
    /// The maximum number of lines of a code block, so that one block does not fill a whole
    /// comment.
    private static let mostLines = 60

    func lines(of blocks: [Document.Block]) -> [String] {
        Array(blocks.map(lines).filter { !$0.isEmpty }.joined(separator: [""]))
    }

    private func lines(of block: Document.Block) -> [String] {
        switch block {
        case .title(let phrase): ["### " + Self.rendered(phrase)]
        case .paragraph(let phrase, _): [Self.rendered(phrase)]
        case .facts(let facts):
            facts.map { "- **\($0.label)**: \(Self.rendered($0.value))" }
        case .remarks(let title, let remarks):
            ["**\(title)**", ""] + remarks.map { "- :warning: \(Self.rendered($0))" }
        case .fold(let title, let blocks):
            ["<details><summary>\(title)</summary>", ""] + code(blocks) + ["", "</details>"]
        case .group(let blocks): blocks.flatMap(lines)
        case .drawing: []
        case .lines, .table, .quote, .code, .section: code([block])
        }
    }

    private func code(_ blocks: [Document.Block]) -> [String] {
        let limited = blocks.map { block in
            guard case .code(let lines) = block, lines.count > Self.mostLines else { return block }
            return Document.Block.code(lines.prefix(Self.mostLines) + ["…"])
        }
        return MarkdownCode.block(Self.folded.separated(limited))
    }

    static func rendered(_ phrase: Phrase) -> String {
        phrase.rendered(words: words, name: MarkdownCode.span, given: MarkdownCode.span)
    }

    /// Escapes hubsend's own words, so that `<` is not markup.
    private static func words(_ text: String) -> String {
        text.replacingBytes("&", with: "&amp;").replacingBytes("<", with: "&lt;")
            .replacingBytes("_", with: "\\_").replacingBytes("*", with: "\\*")
    }
}
