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
            /// Its class on pages.
            enum Kind: String {
                case plain = ""
                case number, word, hub, why, zones
                /// A picture.
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
            /// A line below the row, in text only.
            var note: String?
        }

        var columns: [Column]
        var rows: [Row] = []
        /// Its name for a screen reader, if it differs from its section's name.
        var label = ""
        /// Whether a text shows the heads.
        var hasHeads = true
        /// Whether it is a list of its own in text, not a part of a description.
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
        /// Only Markdown shows it; pages draw their own.
        case title(Phrase)
        case paragraph(Phrase, TextStyle.Emphasis? = nil)
        /// Lines of a description.
        case lines([Phrase], TextStyle.Emphasis? = nil)
        case facts([Fact])
        /// Points that need a person's attention.
        case remarks(String, [Phrase])
        case table(Table)
        /// A label, and a whole text from a file.
        case quote(String, String)
        /// Shown as it is.
        case code([String])
        /// `name` is its id or class on pages.
        case section(String, name: String = "", [Block])
        /// Blocks without an empty line between them.
        case group([Block])
        /// Folded in Markdown and on pages.
        case fold(String, [Block])
        /// Part of a page alone, as HTML.
        case drawing(String)
    }

    var blocks: [Block]

    /// Leaves out facts that are not known.
    static func facts(_ facts: KeyValuePairs<String, String?>) -> [Fact] {
        facts.compactMap { label, value in value.map { Fact(label, $0) } }
    }
}

extension Document.Table {
    /// A part of a description whose columns need no heads.
    init(headless columns: TextTable.Column...) {
        self.init(columns: columns.map { Column(head: "", text: $0) }, hasHeads: false)
    }
}

extension Document.Block {
    /// - Parameter most: the most lines to show.
    static func code(of text: String, most: Int = .max) -> Document.Block {
        let lines = text.split(omittingEmptySubsequences: false) { $0.isNewline }
        let whole = lines.last?.isEmpty == true ? lines.dropLast() : lines[...]
        return .code(whole.prefix(most).map(String.init) + (whole.count > most ? ["…"] : []))
    }
}
