import CampaignCore

/// The output of a command, which can be written as text, as Markdown and as HTML.
struct Document {
    struct Fact {
        let label: String
        let value: Phrase

        init(_ label: String, _ value: Phrase) {
            self.label = label
            self.value = value
        }

        init(_ label: String, _ value: String) { self.init(label, Phrase(value)) }
    }

    struct Table {
        struct Column {
            /// The CSS class of the column on pages.
            enum Kind: String {
                case plain = ""
                case number, word, hub, why, zones
                case drawn
            }

            let head: String
            var text = TextTable.Column.left
            var kind = Kind.plain
            var isOnlyOnPages = false
        }

        struct Row {
            let cells: [Phrase]
            var emphasis: TextStyle.Emphasis?
            /// A line below the row, which only text output shows.
            var note: String?
        }

        var columns: [Column]
        var rows: [Row] = []
        /// The table's name for a screen reader, if it differs from the section's name.
        var label = ""
        /// Whether text output shows the column headings.
        var hasHeads = true
        /// Whether text output shows the table as a separate list, rather than as part of a
        /// description.
        var isList = false
        /// Whether the first cell of a row says what the row is about.
        var hasRowHeads = true

        mutating func append(
            _ cells: [Phrase], _ emphasis: TextStyle.Emphasis? = nil, note: String? = nil
        ) {
            rows.append(Row(cells: cells, emphasis: emphasis, note: note))
        }

        mutating func append(words cells: [String], _ emphasis: TextStyle.Emphasis? = nil) {
            append(cells.map { Phrase($0) }, emphasis)
        }
    }

    indirect enum Block {
        /// A title that only Markdown shows, because pages have their own.
        case title(Phrase)
        case paragraph(Phrase, TextStyle.Emphasis? = nil)
        /// Lines of a description.
        case lines([Phrase], TextStyle.Emphasis? = nil)
        case facts([Fact])
        /// Points that need a person's attention.
        case remarks(String, [Phrase])
        case table(Table)
        /// A label and the whole text from a file.
        case quote(String, String)
        /// Lines that are shown unchanged.
        case code([String])
        /// A section, whose `name` is its id or class on pages.
        case section(String, name: String = "", [Block])
        /// Blocks without an empty line between them.
        case group([Block])
        /// Blocks that are folded in Markdown and on pages.
        case fold(String, [Block])
        /// HTML that only pages show.
        case drawing(String)
    }

    var blocks: [Block]

    /// Returns only the facts that have a value.
    static func facts(_ facts: KeyValuePairs<String, String?>) -> [Fact] {
        facts.compactMap { label, value in value.map { Fact(label, $0) } }
    }
}

extension Document.Table {
    /// Creates a table without column headings, as part of a description.
    init(headless columns: TextTable.Column...) {
        self.init(columns: columns.map { Column(head: "", text: $0) }, hasHeads: false)
    }
}

extension Document.Block {
    /// - Parameter most: the maximum number of lines to show.
    static func code(of text: String, most: Int = .max) -> Document.Block {
        let lines = text.split(omittingEmptySubsequences: false) { $0.isNewline }
        let whole = lines.last?.isEmpty == true ? lines.dropLast() : lines[...]
        return .code(whole.prefix(most).map(String.init) + (whole.count > most ? ["…"] : []))
    }
}
