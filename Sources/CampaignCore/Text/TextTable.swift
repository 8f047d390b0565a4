package struct TextTable {
    /// The alignment of a column, and what happens to the column if lines would be too long.
    package struct Column {
        private enum Side {
            case left
            case right
        }

        package static let left = Column(side: .left)
        package static let right = Column(side: .right)
        /// A last column of sentences, which may be broken into several lines.
        package static let wrapped = Column(side: .left, least: 24, wraps: true)

        private let side: Side
        /// The minimum width of cells that are cut; nil if they are never cut.
        fileprivate private(set) var least: Int?
        /// Before cells are cut below this width, other columns are left out.
        fileprivate private(set) var wanted = 0
        /// The column with the lowest rank is left out first; nil if the column is never left out.
        fileprivate private(set) var rank: Int?
        fileprivate private(set) var wraps = false

        /// Allows cells to be cut, but below `wanted` only if necessary.
        package func cut(to least: Int, wanted: Int = 0) -> Column {
            var column = self
            (column.least, column.wanted) = (least, wanted)
            return column
        }

        package func leftOut(_ rank: Int) -> Column {
            var column = self
            column.rank = rank
            return column
        }

        /// - Parameter keepsEnd: whether cells are cut in the middle rather than at the end.
        fileprivate func set(_ cell: String, in width: Int, keepsEnd: Bool) -> [String] {
            let size = VisibleText.width(of: cell)
            guard size > width else {
                let padding = String(repeating: " ", count: width - size)
                return [side == .left ? cell + padding : padding + cell]
            }
            if wraps { return WrappedText.paragraph(cell, width: width, keepsWords: true) }
            let end = keepsEnd ? cell.suffix(width / 2) : ""
            let room = width - 1 - VisibleText.width(of: end)
            let kept = VisibleText.prefix(of: cell, columns: room) + "…" + end
            return [VisibleText.padded(String(kept), to: width)]
        }
    }

    private static let gap = 2

    private let columns: [Column]
    private let indent: String
    private var rows: [[String]] = []

    package init(_ columns: [Column], indent: Int = 0) {
        self.columns = columns
        self.indent = String(repeating: " ", count: indent)
    }

    /// Adds a row; missing cells at its end are empty.
    package mutating func append(_ cells: [String]) {
        rows.append(cells)
    }

    /// The lines, with two spaces between columns and none at the end of a line.
    ///
    /// - Parameter limit: the maximum width of a line. Columns that may be left out are dropped
    /// until the others fit with cells cut to their minimum. Columns that cannot be cut may still
    /// exceed the limit.
    package func lines(within limit: Int? = nil) -> [String] {
        let layout = layout(within: limit)
        let keepsEnd = layout.map { column, width in
            limit != nil && leastWidth(of: column, keepingEnds: false).map { $0 > width } == true
        }
        return rows.map { cells in
            var line = indent
            for (place, (column, width)) in layout.enumerated() where column < cells.count {
                if place > 0 { line += String(repeating: " ", count: Self.gap) }
                let hanging = "\n" + String(repeating: " ", count: VisibleText.width(of: line))
                line += columns[column].set(cells[column], in: width, keepsEnd: keepsEnd[place])
                    .joined(separator: hanging)
            }
            return String(line.reversed().drop { $0 == " " }.reversed())
        }
    }

    /// The minimum width at which different cells still look different; nil if the column's cells
    /// are never cut.
    private func leastWidth(of column: Int) -> Int? {
        leastWidth(of: column, keepingEnds: false).flatMap { first in
            leastWidth(of: column, keepingEnds: true).map { min(first, $0) }
        }
    }

    private func leastWidth(of column: Int, keepingEnds keepsEnd: Bool) -> Int? {
        guard let least = columns[column].least, !columns[column].wraps else {
            return columns[column].least
        }
        let cells = Set(rows.dropFirst().compactMap { column < $0.count ? $0[column] : nil })
        let longest = cells.map { VisibleText.width(of: $0) }.max() ?? 0
        return (least..<max(least, longest)).first { width in
            Set(cells.map { columns[column].set($0, in: width, keepsEnd: keepsEnd) }).count
                == cells.count
        } ?? max(least, longest)
    }

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
            // The widest column shrinks first, so that cells in every column stay distinguishable.
            guard let widest = shrinkable.max(by: { layout[$0].width < layout[$1].width }) else {
                break
            }
            layout[widest].width -= 1
        }
        return layout
    }
}
