import CampaignCore

/// Writes a document as the content of a page.
struct DocumentHTML {
    /// The length above which text is cut, in characters.
    private static let longestCode = 20_000

    /// Whether the name of a section is its id, for links, rather than its class.
    ///
    /// On a page with several documents, ids would not be unique.
    let hasIDs: Bool

    func html(of blocks: [Document.Block]) -> String { blocks.map(html).joined() }

    private func html(of block: Document.Block) -> String {
        switch block {
        case .title: ""
        case .paragraph(let phrase, _): note(phrase)
        case .lines(let phrases, _): phrases.map(note).joined()
        case .facts(let facts): Self.facts(facts)
        case .remarks(let title, let remarks):
            "<aside><h2>\(title)</h2>\(Self.list(remarks))</aside>\n"
        case .table(let table): self.table(table, of: "")
        case .quote(let label, let text):
            "<p>\(label): \(HTMLText.phrase("\(given: text)"))</p>\n"
        case .code(let lines): "<pre>\(Self.cut(lines.joined(separator: "\n")))</pre>"
        case .section(let title, let name, let blocks): section(title, name, blocks)
        case .group(let blocks): html(of: blocks)
        case .fold(let title, let blocks):
            "<details><summary>\(title)</summary>\(html(of: blocks))</details>\n"
        case .drawing(let html): html
        }
    }

    private func section(_ title: String, _ name: String, _ blocks: [Document.Block]) -> String {
        let content = blocks.map { block in
            if case .table(let table) = block {
                self.table(table, of: name)
            } else {
                html(of: block)
            }
        }
        let head =
            hasIDs
            ? #"<section aria-labelledby="\#(name)"><h2 id="\#(name)">"#
            : #"<section class="\#(name)"><h2>"#
        return "\(head)\(HTMLText.escape(title))</h2>\n\(content.joined())</section>\n"
    }

    private func note(_ phrase: Phrase) -> String {
        "<p class=\"note\">\(HTMLText.phrase(phrase))</p>\n"
    }

    static func facts(_ facts: [Document.Fact]) -> String {
        let items = facts.map {
            "<div><dt>\($0.label)</dt><dd>\(HTMLText.phrase($0.value))</dd></div>"
        }
        return "<dl class=\"facts\">\(items.joined(separator: "\n"))</dl>\n"
    }

    static func list(_ phrases: [Phrase], kind: String = "") -> String {
        let items = phrases.map { "<li>\(HTMLText.phrase($0))</li>" }
        return "<ul\(attribute("class", kind))>\(items.joined())</ul>"
    }

    // MARK: Tables

    private func table(_ table: Document.Table, of section: String) -> String {
        let rows = table.rows.map { Self.row($0, of: table) }.joined()
        guard hasIDs else { return "<table>\n\(rows)</table>\n" }
        return Self.beginning(table, of: section) + rows + "</tbody></table></div>\n"
    }

    /// The HTML before the rows; a table that is too wide for the screen can be scrolled with the
    /// keyboard.
    static func beginning(_ table: Document.Table, of section: String) -> String {
        let heads = table.columns.map { column in
            switch column.kind {
            case .number: "<th scope=\"col\" class=\"number\">\(column.head)</th>"
            case .drawn: "<th scope=\"col\" aria-label=\"\(column.head)\"></th>"
            default: "<th scope=\"col\">\(column.head)</th>"
            }
        }
        let label =
            table.label.isEmpty
            ? attribute("aria-labelledby", section) : attribute("aria-label", table.label)
        return """
            <div class="scroll" role="region"\(label) tabindex="0"><table>
            <thead><tr>\(heads.joined())</tr></thead>
            <tbody>

            """
    }

    static func row(_ row: Document.Table.Row, of table: Document.Table) -> String {
        let cells = zip(table.columns, row.cells).enumerated().map { place, pair in
            let kind = attribute("class", pair.0.kind.rawValue)
            let text = HTMLText.phrase(pair.1)
            return place == 0 && table.hasRowHeads
                ? "<th scope=\"row\"\(kind)>\(text)</th>" : "<td\(kind)>\(text)</td>"
        }
        return "<tr>\(cells.joined())</tr>\n"
    }

    private static func attribute(_ name: String, _ value: String) -> String {
        value.isEmpty ? "" : " \(name)=\"\(value)\""
    }

    /// Escapes text, and cuts it if it is very long.
    private static func cut(_ text: String) -> String {
        let shown = HTMLText.escape(String(text.prefix(longestCode)))
        return text.count > longestCode ? shown + "…" : shown
    }
}
