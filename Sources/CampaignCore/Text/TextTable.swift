/// Lines of cells set in columns as wide as their widest cell.
package struct TextTable {
    /// How a column is set, and how it gives way where the lines would be too long.
    package struct Column {
        private enum Side {
            case left
            case right
        }

        package static let left = Column(side: .left)
        package static let right = Column(side: .right)
        /// The last column of a table of sentences, whose cells may take several lines.
        package static let wrapped = Column(side: .left, least: 24, wraps: true)

        private let side: Side
        /// The fewest columns of the terminal that its cells are cut to; nil: they are never cut.
        fileprivate private(set) var least: Int?
        /// Other columns are left out before its cells are cut to less than this.
        fileprivate private(set) var wanted = 0
        /// Columns are left out from the lowest rank on; nil: it always stays.
        fileprivate private(set) var rank: Int?
        fileprivate private(set) var wraps = false

        /// The same column, with cells that may be cut, if need be to less than is wanted.
        package func cut(to least: Int, wanted: Int = 0) -> Column {
            var column = self
            (column.least, column.wanted) = (least, wanted)
            return column
        }

        /// The same column, which may be left out.
        package func leftOut(_ rank: Int) -> Column {
            var column = self
            column.rank = rank
            return column
        }

        /// The lines of a cell; only a column that wraps has several.
        fileprivate func set(_ cell: String, in width: Int) -> [String] {
            let size = VisibleText.width(of: cell)
            guard size > width else {
                let padding = String(repeating: " ", count: width - size)
                return [side == .left ? cell + padding : padding + cell]
            }
            if wraps { return WrappedText.paragraph(cell, width: width, keepsWords: true) }
            let kept = VisibleText.prefix(of: cell, columns: width - 1) + "…"
            return [VisibleText.padded(String(kept), to: width)]
        }
    }

    private static let gap = 2

    private let columns: [Column]
    private let indent: String
    private var rows: [[String]] = []

    /// - Parameters:
    ///   - columns: how each is set.
    ///   - indent: spaces before every line.
    package init(_ columns: [Column], indent: Int = 0) {
        self.columns = columns
        self.indent = String(repeating: " ", count: indent)
    }

    /// Adds a row; cells that are missing at its end are empty.
    package mutating func append(_ cells: [String]) {
        rows.append(cells)
    }

    /// The rows, two spaces between columns, none at the end of a line.
    ///
    /// - Parameter limit: how many columns of the terminal a line may have; nil: as many as it takes. Columns that may be left out are,
    ///   until the others fit with their cells cut as short as they may be; what never gives way may still be longer.
    /// - Returns: one text for each row that was added; with line feeds in it where a cell takes several lines.
    package func lines(within limit: Int? = nil) -> [String] {
        let layout = layout(within: limit)
        return rows.map { cells in
            var line = indent
            for (place, (column, width)) in layout.enumerated() where column < cells.count {
                if place > 0 { line += String(repeating: " ", count: Self.gap) }
                let hanging = "\n" + String(repeating: " ", count: VisibleText.width(of: line))
                line += columns[column].set(cells[column], in: width).joined(separator: hanging)
            }
            return String(line.reversed().drop { $0 == " " }.reversed())
        }
    }

    /// The least width that a column's cells may be cut to, so that those that differ still do; nil: they are never cut.
    private func leastWidth(of column: Int) -> Int? {
        guard let least = columns[column].least, !columns[column].wraps else {
            return columns[column].least
        }
        let cells = Set(rows.dropFirst().compactMap { column < $0.count ? $0[column] : nil })
        let longest = cells.map { VisibleText.width(of: $0) }.max() ?? 0
        return (least..<max(least, longest)).first { width in
            Set(cells.map { columns[column].set($0, in: width) }).count == cells.count
        } ?? max(least, longest)
    }

    /// The columns that are shown, with their widths.
    private func layout(within limit: Int?) -> [(column: Int, width: Int)] {
        var layout = columns.indices.map { column in
            (
                column: column,
                width: rows.map { column < $0.count ? VisibleText.width(of: $0[column]) : 0 }
                    .max() ?? 0
            )
        }
        guard let limit else { return layout }
        func length(_ widths: [Int]) -> Int {
            indent.count + widths.reduce(0, +) + Self.gap * max(0, widths.count - 1)
        }
        let least = layout.map { min($0.width, leastWidth(of: $0.column) ?? $0.width) }
        func shrunk(_ column: Int, _ width: Int) -> Int {
            max(least[column], min(width, columns[column].wanted))
        }
        while length(layout.map(shrunk)) > limit {
            let ranks = layout.compactMap { columns[$0.column].rank }
            guard let lowest = ranks.min() else { break }
            layout.removeAll { columns[$0.column].rank == lowest }
        }
        while length(layout.map(\.width)) > limit {
            let shrinkable = layout.indices.filter { place in
                layout[place].width > least[layout[place].column]
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
