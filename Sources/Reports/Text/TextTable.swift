/// Lines of cells set in columns as wide as their widest cell.
struct TextTable {
    enum Alignment {
        case left
        case right
    }

    private let alignments: [Alignment]
    private let indent: String
    private var rows: [[String]] = []

    /// - Parameters:
    ///   - alignments: one a column.
    ///   - indent: spaces before every line.
    init(_ alignments: [Alignment], indent: Int = 0) {
        self.alignments = alignments
        self.indent = String(repeating: " ", count: indent)
    }

    /// Adds a line; cells that are missing at its end are empty.
    mutating func append(_ cells: [String]) {
        rows.append(cells)
    }

    /// The lines, two spaces between columns, none at the end of a line.
    func lines() -> [String] {
        let widths = alignments.indices.map { column in
            rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0
        }
        return rows.map { cells in
            var line = indent
            for (column, alignment) in alignments.enumerated() where column < cells.count {
                let padding = String(repeating: " ", count: widths[column] - cells[column].count)
                if column > 0 { line += "  " }
                line += alignment == .left ? cells[column] + padding : padding + cells[column]
            }
            return String(line.reversed().drop { $0 == " " }.reversed())
        }
    }
}
