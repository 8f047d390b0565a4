/// Turns a fault such as `status: 500, share: 5%` into YAML.
///
/// Findings refer to places in the original text.
struct FaultText {
    let yaml: String

    private let lines: [String]
    private let isBraced: Bool

    /// - Parameter text: keys with commas between them, in braces, or each on a separate line.
    init(_ text: String) {
        lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
            .map(String.init)
        let content = lines.map { String($0.drop { " \t".contains($0) }) }
            .filter { !$0.isEmpty && !$0.hasPrefix("#") }
        let isBlock = content.count > 1 && !content.dropLast().contains { $0.contains(",") }
        isBraced = !isBlock && content.first?.hasPrefix("{") != true
        // The braces are on separate lines, so that a comment cannot hide them.
        yaml = isBraced ? "{\n\(text)\n}" : text
    }

    /// Moves a finding from the YAML to its place in the text.
    func written(_ diagnostic: Diagnostic) -> Diagnostic {
        guard isBraced else { return diagnostic }
        var written = diagnostic
        let line = diagnostic.range.line - 1
        let isInText = lines.indices.contains(line - 1)
        // Notes about the added braces would be confusing, so they are removed.
        written.related = diagnostic.related
            .filter { lines.indices.contains($0.range.line - 2) }
            .map { Diagnostic.Related(message: $0.message, file: $0.file, range: up($0.range)) }
        guard !isInText else {
            written.range = up(diagnostic.range)
            return written
        }
        if let place = written.related.first?.range {
            // The opening brace was added, so the finding moves to the text that prevents it from
            // being closed.
            written.range = place
            written.message = "A comma is missing before this."
            written.help = "Put a comma between the parts, or put each part on a separate line."
            written.related = []
        } else {
            written.range = edge(near: line)
        }
        written.excerpt = excerpt(at: written.range)
        return written
    }

    private func excerpt(at place: TextRange) -> Diagnostic.Excerpt {
        Diagnostic.Excerpt(line: lines[place.line - 1], around: place.column, isPersonal: false)
    }

    private func up(_ range: TextRange) -> TextRange {
        TextRange(
            line: range.line - 1, column: range.column, endLine: range.endLine - 1,
            endColumn: range.endColumn)
    }

    /// The start of the text for the first brace, and the end for the last brace.
    private func edge(near line: Int) -> TextRange {
        guard line > 0, let last = lines.last else { return TextRange(line: 1, column: 1) }
        return TextRange(line: lines.count, column: last.unicodeScalars.count + 1)
    }
}
