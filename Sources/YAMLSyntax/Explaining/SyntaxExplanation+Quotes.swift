/// Quoted and block texts that end too late or too early.
extension SyntaxExplanation {
    /// A quote without its partner.
    var unclosedQuote: YAMLFault? {
        guard context == "while scanning a quoted scalar", let opening,
            problem == "found unexpected end of stream"
                || problem == "found unexpected document indicator"
        else { return nil }
        let quote = byte(at: opening) == UInt8(ascii: "'") ? "'" : "\""
        return syntax(
            "This quote is never closed.", at: opening,
            help: "Put \(quote) at the end of the text.")
    }

    /// Text behind a value that is already complete.
    var textAfterValue: YAMLFault? {
        guard Self.wantsNextEntry.contains(problem), let previous,
            previous.range.start.offset < place, previous.range.end.line == line(of: place)
        else { return nil }
        switch previous.content {
        case .scalar(let scalar) where scalar.style.isQuoted:
            return textAfterQuote(previous, scalar.style)
        case .sequence, .mapping:
            guard let last = byte(at: previous.range.end.offset - 1),
                last.is("]") || last.is("}")
            else { return nil }
            let name = Character(Unicode.Scalar(last))
            return syntax(
                "Text goes on after the closing \(name).", at: place,
                help: "Put the whole text in quotes if its brackets belong to it.")
        default:
            return nil
        }
    }

    private func textAfterQuote(_ quoted: YAMLNode, _ style: YAMLScalar.Style) -> YAMLFault {
        let related =
            quoted.range.start.line == quoted.range.end.line
            ? nil
            : YAMLFault.Related(
                message: "The quote is opened here; perhaps it should have been closed here too.",
                range: range(at: quoted.range.start.offset))
        let help =
            style == .singleQuoted
            ? "Write '' for an apostrophe within single quotes, or use double quotes."
            : "Write \\\" for a quote within double quotes, or use single quotes."
        return syntax(
            "Text goes on after the closing quote.", at: place, related: related, help: help)
    }

    /// A `|` or `>` that is followed by something else than its text.
    var blockScalar: YAMLFault? {
        guard context == "while scanning a block scalar" else { return nil }
        if problem == "found an indentation indicator equal to 0" {
            return syntax(
                "The digit after | or > says how deep the text is indented: 1 to 9.", at: place,
                help: "Remove the digit.")
        }
        return syntax(
            "The text of | and > starts on the next line, indented.", at: place,
            help: "Start a new line, or put the text in quotes if the character belongs to it.")
    }

    /// What libyaml says when it wanted the next entry of a collection or the end of the file.
    private static let wantsNextEntry: Set = [
        "did not find expected key", "did not find expected '-' indicator",
        "did not find expected <document start>",
    ]
}

extension YAMLScalar.Style {
    fileprivate var isQuoted: Bool { self == .singleQuoted || self == .doubleQuoted }
}
