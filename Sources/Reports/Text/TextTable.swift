/// Lines of cells set in columns as wide as their widest cell.
struct TextTable {
    /// How a column is set, and how it gives way where the lines would be too long.
    struct Column {
        private enum Side {
            case left
            case right
        }

        static let left = Column(side: .left)
        static let right = Column(side: .right)

        private let side: Side
        /// The fewest characters that its cells are cut to; nil: they are never cut.
        private(set) var least: Int?
        /// Columns are left out from the lowest rank on; nil: it always stays.
        private(set) var rank: Int?

        /// The same column, with cells that may be cut.
        func cut(to least: Int) -> Column {
            var column = self
            column.least = least
            return column
        }

        /// The same column, which may be left out.
        func leftOut(_ rank: Int) -> Column {
            var column = self
            column.rank = rank
            return column
        }

        fileprivate func set(_ cell: String, in width: Int) -> String {
            let text = cell.count > width ? String(cell.prefix(width - 1)) + "…" : cell
            let padding = String(repeating: " ", count: width - text.count)
            return side == .left ? text + padding : padding + text
        }
    }

    private static let gap = 2

    private let columns: [Column]
    private let indent: String
    private var rows: [[String]] = []

    /// - Parameters:
    ///   - columns: how each is set.
    ///   - indent: spaces before every line.
    init(_ columns: [Column], indent: Int = 0) {
        self.columns = columns
        self.indent = String(repeating: " ", count: indent)
    }

    /// Adds a line; cells that are missing at its end are empty.
    mutating func append(_ cells: [String]) {
        rows.append(cells)
    }

    /// The lines, two spaces between columns, none at the end of a line.
    ///
    /// - Parameter limit: how many characters a line may have; nil: as many as it takes. Columns that may be left out are, until the
    ///   others fit with their cells cut as short as they may be; what never gives way may still be longer.
    /// - Returns: one line for each that was added.
    func lines(within limit: Int? = nil) -> [String] {
        let layout = layout(within: limit)
        return rows.map { cells in
            var line = indent
            for (place, (column, width)) in layout.enumerated() where column < cells.count {
                if place > 0 { line += String(repeating: " ", count: Self.gap) }
                line += columns[column].set(cells[column], in: width)
            }
            return String(line.reversed().drop { $0 == " " }.reversed())
        }
    }

    /// The columns that are shown, with their widths.
    private func layout(within limit: Int?) -> [(column: Int, width: Int)] {
        var layout = columns.indices.map { column in
            (
                column: column,
                width: rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0
            )
        }
        guard let limit else { return layout }
        func length(_ widths: [Int]) -> Int {
            indent.count + widths.reduce(0, +) + Self.gap * max(0, widths.count - 1)
        }
        func leastWidth(_ column: Int, _ width: Int) -> Int {
            min(width, columns[column].least ?? width)
        }
        while length(layout.map(leastWidth)) > limit {
            let ranks = layout.compactMap { columns[$0.column].rank }
            guard let lowest = ranks.min() else { break }
            layout.removeAll { columns[$0.column].rank == lowest }
        }
        while length(layout.map(\.width)) > limit {
            let shrinkable = layout.indices.filter { place in
                layout[place].width > leastWidth(layout[place].column, layout[place].width)
            }
            // The widest loses most, so that each keeps what tells its cells apart for as long as it can.
            guard let widest = shrinkable.max(by: { layout[$0].width < layout[$1].width }) else {
                break
            }
            layout[widest].width -= 1
        }
        return layout
    }
}
