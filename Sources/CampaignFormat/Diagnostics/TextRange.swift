import YAMLSyntax

/// A stretch of a file as editors count: lines and columns from 1, columns in characters (Unicode scalars).
package struct TextRange: Hashable, Sendable {
    package let line: Int
    package let column: Int
    /// The line of the place after the last character.
    package let endLine: Int
    /// The column of the place after the last character.
    package let endColumn: Int

    package init(line: Int, column: Int, endLine: Int, endColumn: Int) {
        self.line = line
        self.column = column
        self.endLine = endLine
        self.endColumn = endColumn
    }

    /// A stretch within one line.
    package init(line: Int, column: Int, length: Int = 0) {
        self.init(line: line, column: column, endLine: line, endColumn: column + length)
    }

    init(_ range: SourceRange) {
        self.init(
            line: range.start.line, column: range.start.column, endLine: range.end.line,
            endColumn: range.end.column)
    }
}

extension TextRange: Comparable {
    /// Orders by line, then column.
    package static func < (left: TextRange, right: TextRange) -> Bool {
        (left.line, left.column, left.endLine, left.endColumn)
            < (right.line, right.column, right.endLine, right.endColumn)
    }
}
