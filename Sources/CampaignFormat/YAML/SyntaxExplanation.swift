/// Explains an error from libyaml to someone who does not know YAML's grammar.
///
/// libyaml reports where parsing failed, but the mistake is often elsewhere: at a quote that was
/// opened lines before, or at a colon without a space.
struct SyntaxExplanation {
    private let source: SourceText
    /// The problem in libyaml's words.
    private let problem: String
    /// The part that libyaml was reading.
    private let context: String
    /// The byte of the problem.
    private let place: Int
    /// The byte at which libyaml's context began.
    private let opening: Int?
    private let previous: YAMLNode?

    init(_ problem: LibYAMLProblem, in source: SourceText, composer: DocumentComposer) {
        self.source = source
        self.problem = problem.problem ?? ""
        context = problem.context
        place = composer.offset(ofIndex: problem.index)
        opening =
            problem.context.isEmpty ? nil : composer.offset(ofIndex: problem.contextIndex)
        previous = composer.lastPart
    }

    init(textAfterDocumentAt place: Int, in source: SourceText, composer: DocumentComposer) {
        self.source = source
        problem = "did not find expected <document start>"
        context = ""
        self.place = place
        opening = nil
        previous = composer.lastPart
    }

    /// The explained error, with the place to fix.
    var error: YAMLError {
        guard !problem.isEmpty else { return .outOfMemory }
        return pasted ?? tab ?? character ?? unclosedQuote ?? escape ?? property ?? directive
            ?? blockScalar ?? colon ?? textAfterValue ?? bracket ?? structure ?? general
    }

    private var general: YAMLError {
        let during = context.isEmpty ? "" : " \(context)"
        return syntax("This is not YAML: the parser \(problem)\(during).", at: place)
    }

    private func syntax(
        _ message: String, at offset: Int, related: YAMLError.Related? = nil, help: String? = nil
    ) -> YAMLError {
        YAMLError(.syntax, message, at: range(at: offset), related: related, help: help)
    }

    /// The range of one character; empty at the end of a line.
    private func range(at offset: Int) -> SourceRange {
        var end = offset
        if end < source.bytes.count, !source.bytes[end].isLineBreak {
            repeat {
                end += 1
            } while end < source.bytes.count
                && source.bytes[end].isUTF8Continuation
        }
        return source.range(ofBytes: offset..<end)
    }

    /// The byte at an offset; nil at the end of the text.
    private func byte(at offset: Int) -> UInt8? {
        source.bytes.indices.contains(offset) ? source.bytes[offset] : nil
    }

    /// The line of an offset, counted from 1.
    private func line(of offset: Int) -> Int { source.position(atByte: offset).line }

    // MARK: Pasted lines

    /// A line that was pasted along with text.
    private var pasted: YAMLError? {
        let marks: [StaticString] = ["<<<<<<< ", "=======", ">>>>>>> "]
        for offset in [opening, place].compactMap(\.self) {
            let start = source.startOfLine(at: offset)
            if marks.contains(where: { source.bytes.has($0, at: start) }) {
                return syntax(
                    "This line is a merge conflict marker.", at: start,
                    help:
                        "Keep one of the two versions, and delete the three markers.")
            }
            let first = firstOfLine(at: start)
            if source.bytes.has("```", at: first) {
                return syntax(
                    "This line is a Markdown code fence, which was pasted along with the text.",
                    at: first,
                    help: "Delete it and the fence at the end.")
            }
        }
        return nil
    }

    // MARK: Misplaced characters

    private var tab: YAMLError? {
        guard byte(at: place) == .tab,
            problem.contains("tab character") || problem == Self.cannotStart
        else { return nil }
        var end = place
        while byte(at: end) == .tab { end += 1 }
        return YAMLError(
            .syntax, "A tab cannot indent a line; YAML indents with spaces only.",
            at: source.range(ofBytes: place..<end),
            help: "Replace each tab with two spaces; set the editor to insert spaces.")
    }

    /// Text that begins with a reserved character.
    private var character: YAMLError? {
        guard problem == Self.cannotStart, let byte = byte(at: place), byte < 0x80 else {
            return nil
        }
        let name = Character(Unicode.Scalar(byte))
        return syntax(
            "Text cannot start with \(name) unless it is in quotes.", at: place,
            help: "Put the whole text in quotes: \"\(name)…\".")
    }

    /// An unknown escape in double quotes; for a numeric escape, libyaml names the first digit, two
    /// bytes after the backslash.
    private var escape: YAMLError? {
        switch problem {
        case "found unknown escape character":
            syntax(
                "This backslash and the character after it have no meaning in double quotes.",
                at: place,
                help: "Write \\\\ for a backslash, or put the text in single quotes.")
        case "did not find expected hexdecimal number":
            syntax(
                "The escapes \\x, \\u and \\U require 2, 4 and 8 hexadecimal digits.",
                at: place - 2,
                help: "Write all the digits, or put the text in single quotes.")
        case "found invalid Unicode character escape code"
        where byte(at: place).map { "dD".utf8.contains($0) } == true:
            syntax(
                "This escape is one half of a pair, and the other half is missing.",
                at: place - 2,
                help: "Write both halves, such as \\ud83d\\ude00, or the character itself.")
        case "found invalid Unicode character escape code":
            syntax(
                "This escape does not represent a Unicode character.", at: place - 2,
                help: "Write the character itself.")
        default: nil
        }
    }

    /// A `*`, `&` or `!` that was meant as text.
    private var property: YAMLError? {
        if context == "while scanning an alias" || context == "while scanning an anchor" {
            let name = context == "while scanning an alias" ? "*" : "&"
            let start = opening ?? place
            if name == "*", firstOfLine(at: start) == start, byte(at: start + 1)?.isBlank == true {
                return syntax(
                    "In YAML, a list item starts with a dash, not with an asterisk.", at: start,
                    help: "Write \"- item\".")
            }
            return syntax(
                "Text that starts with \(name) must be in quotes; YAML interprets the \(name).",
                at: start, help: "Put the whole text in quotes: \"\(name)…\".")
        }
        guard
            context == "while scanning a tag" || context == "while parsing a tag"
                || problem == "found undefined tag handle"
        else { return nil }
        return .unsupportedTag(at: range(at: opening ?? place))
    }

    /// A line that begins with `%`.
    private var directive: YAMLError? {
        guard
            context.hasSuffix("directive") || problem == "found incompatible YAML document"
                || problem == "found duplicate %YAML directive"
        else { return nil }
        let start = source.startOfLine(at: opening ?? place)
        return .unsupportedDirective(at: source.range(ofBytes: start..<source.endOfLine(at: start)))
    }

    private static let cannotStart = "found character that cannot start any token"

    // MARK: Quoted and block texts that end too late or too early

    private var unclosedQuote: YAMLError? {
        guard context == "while scanning a quoted scalar", let opening,
            problem == "found unexpected end of stream"
                || problem == "found unexpected document indicator"
        else { return nil }
        let quote = byte(at: opening) == UInt8(ascii: "'") ? "'" : "\""
        if let curly = curlyQuote(atEndOfLineOf: opening) {
            return syntax(
                "This quote is never closed: the one at the end of the line is a different character.",
                at: opening, help: "Replace \(curly) with \(quote).")
        }
        return syntax(
            "This quote is never closed.", at: opening,
            help: "Put \(quote) at the end of the text.")
    }

    /// A curly quote from a word processor at the end of a line.
    private func curlyQuote(atEndOfLineOf offset: Int) -> String? {
        let end = source.endOfText(
            before: source.endOfLine(at: offset), downTo: source.startOfLine(at: offset))
        let quotes: [StaticString] = ["“", "”", "„", "‟", "‘", "’", "‚", "‛"]
        return quotes.first { source.bytes.has($0, at: end - $0.utf8CodeUnitCount) }?.description
    }

    /// Text after a complete value.
    private var textAfterValue: YAMLError? {
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
                "There is text after the closing \(name).", at: place,
                help: "Put the whole text in quotes if the brackets are part of it.")
        default:
            return nil
        }
    }

    private func textAfterQuote(_ quoted: YAMLNode, _ style: YAMLScalar.Style) -> YAMLError {
        if byte(at: place)?.is(",") == true,
            byte(at: firstBlankless(from: place + 1))?.isLineBreak != false
        {
            return syntax(
                "This line cannot end with a comma.", at: place,
                help: "Delete the comma; only items within [ ] and { } are separated by commas.")
        }
        let related =
            quoted.range.start.line == quoted.range.end.line
            ? nil
            : YAMLError.Related(
                message: "The quote opens here; it was probably meant to be closed on this line.",
                range: range(at: quoted.range.start.offset))
        let help =
            style == .singleQuoted
            ? "Write '' for an apostrophe within single quotes, or use double quotes."
            : "Write \\\" for a quote within double quotes, or use single quotes."
        return syntax(
            "There is text after the closing quote.", at: place, related: related, help: help)
    }

    /// A `|` or `>` that is followed by other characters on its line.
    private var blockScalar: YAMLError? {
        guard context == "while scanning a block scalar" else { return nil }
        if problem == "found an indentation indicator equal to 0" {
            return syntax(
                "The digit after | or > sets how deeply the text is indented: 1 to 9.", at: place,
                help: "Remove the digit.")
        }
        return syntax(
            "The text after | or > must start on the next line, indented.", at: place,
            help: "Start a new line, or put the text in quotes if the character is part of it.")
    }

    /// libyaml's messages when it expected the next entry or the end.
    private static let wantsNextEntry: Set = [
        "did not find expected key", "did not find expected '-' indicator",
        "did not find expected <document start>",
    ]

    // MARK: Colons: too many, or without their space

    /// A colon that does not form a key, or a key without a colon.
    private var colon: YAMLError? {
        switch problem {
        case "mapping values are not allowed in this context":
            missingSpace ?? colonInText ?? deeperThanValue ?? noColonAbove
                ?? syntax(
                    "A key is not allowed here.", at: place,
                    help: "Put the text in quotes if the colon is part of it.")
        case "could not find expected ':'":
            missingSpace ?? missingSpaceAfterDash ?? noColon(at: firstOfLine(at: opening ?? place))
        case "found unexpected ':'":
            syntax(
                "A colon is not allowed here in unquoted text.", at: place,
                help: "Put the text in quotes.")
        default: nil
        }
    }

    /// A line such as `key:value`, here or above.
    private var missingSpace: YAMLError? {
        let here = opening ?? place
        for start in [source.startOfLine(at: here), startOfLineAbove(here)] {
            guard let start, let colon = tightColon(inLineAt: start) else { continue }
            return syntax(
                "There is no space after this colon.", at: colon,
                help: "Write \"key: value\", with a space after the colon.")
        }
        return nil
    }

    /// An item such as `-alice` in a list.
    private var missingSpaceAfterDash: YAMLError? {
        let first = firstOfLine(at: opening ?? place)
        guard byte(at: first)?.is("-") == true else { return nil }
        return syntax(
            "There is no space after this dash.", at: first,
            help: "Write \"- item\", with a space after the dash.")
    }

    /// A line that was meant to be a key, above a key in the same column.
    private var noColonAbove: YAMLError? {
        guard let above = startOfLineAbove(place) else { return nil }
        let first = firstOfLine(at: above)
        guard first - above == firstOfLine(at: place) - source.startOfLine(at: place) else {
            return nil
        }
        return noColon(at: first)
    }

    private func noColon(at first: Int) -> YAMLError {
        let line = first..<source.endOfLine(at: first)
        if let colon = line.first(where: { source.bytes.has("：", at: $0) }) {
            return syntax(
                "This is a full-width colon, which YAML does not accept as a colon.",
                at: colon,
                help: "Write \"key: value\", with an ordinary colon and a space after it.")
        }
        return syntax(
            "This line is neither a key with a colon nor part of the value above.", at: first,
            help: "Write \"key: value\"; indent the line if it continues the text above.")
    }

    /// An unquoted value with a colon, such as `message: Note: buy`.
    private var colonInText: YAMLError? {
        let text = source.bytes[source.startOfLine(at: place)..<place]
        guard
            text.firstIndex(where: { $0.is(":") }).map({ byte(at: $0 + 1)?.isBlank == true })
                == true
        else { return nil }
        return syntax(
            "Unquoted text cannot contain a colon followed by a space.", at: place,
            help: "Put the whole text in quotes.")
    }

    /// A key that is indented below a key that already has a value.
    private var deeperThanValue: YAMLError? {
        guard let above = startOfLineAbove(place) else { return nil }
        let first = firstOfLine(at: place)
        let firstAbove = firstOfLine(at: above)
        guard first - source.startOfLine(at: place) > firstAbove - above else { return nil }
        return syntax(
            "This key is indented below a line that already has a value.", at: first,
            related: YAMLError.Related(
                message: "The line above starts here.", range: range(at: firstAbove)),
            help: "Start the key in the same column as the key above it.")
    }

    /// The colon of a line such as `key:value`, but not of an address such as `https:`.
    private func tightColon(inLineAt start: Int) -> Int? {
        var offset = firstOfLine(at: start)
        if source.bytes.has("- ", at: offset) { offset = firstOfLine(at: offset + 2) }
        let name = offset
        while let byte = byte(at: offset), byte.isNameCharacter { offset += 1 }
        guard offset > name, byte(at: offset)?.is(":") == true,
            let next = byte(at: offset + 1), !next.isWhitespace, !next.is("/"), !next.is(":")
        else { return nil }
        return offset
    }

    private func firstBlankless(from offset: Int) -> Int {
        var first = offset
        while byte(at: first)?.isBlank == true { first += 1 }
        return first
    }

    private func firstOfLine(at offset: Int) -> Int {
        firstBlankless(from: source.startOfLine(at: offset))
    }

    /// The start of the nearest line above that is neither empty nor a comment.
    private func startOfLineAbove(_ offset: Int) -> Int? {
        var start = source.startOfLine(at: offset)
        while start > source.contentStart {
            start = source.startOfLine(at: start - 1)
            let first = firstBlankless(from: start)
            if let byte = byte(at: first), !byte.isLineBreak, !byte.is("#") { return start }
        }
        return nil
    }

    // MARK: Lists in brackets and mappings in braces

    /// A bracket that is not closed, or items without a comma.
    private var bracket: YAMLError? {
        switch problem {
        case "did not find expected ',' or ']'":
            unclosed("[", closing: "]")
        case "did not find expected ',' or '}'":
            unclosed("{", closing: "}")
        default: nil
        }
    }

    private func unclosed(_ bracket: Character, closing: Character) -> YAMLError {
        let opening = opening ?? place
        let rest = source.bytes[opening..<source.endOfLine(at: opening)]
        if let comment = rest.indices.first(where: { source.bytes.has(" #", at: $0) }),
            line(of: opening) != line(of: place)
        {
            return syntax(
                "This \(bracket) is not closed on its line: a # after a space starts a comment.",
                at: opening,
                related: YAMLError.Related(
                    message: "The comment starts here.", range: range(at: comment + 1)),
                help: "Put text that begins with # in quotes: \"#…\".")
        }
        guard line(of: opening) == line(of: place), byte(at: place) != nil else {
            let isAtEnd = source.startOfText(from: place) == source.bytes.count
            return syntax(
                "This \(bracket) is not closed.", at: opening,
                related: isAtEnd
                    ? nil
                    : YAMLError.Related(
                        message: "This text cannot be inside the brackets.", range: range(at: place)
                    ),
                help: "Put \(closing) at the end, and commas between the items.")
        }
        return syntax(
            "A comma or \(closing) is missing before this.", at: place,
            related: YAMLError.Related(
                message: "The item is inside this \(bracket).", range: range(at: opening)),
            help:
                "Put commas between the items, and put text that contains brackets or colons in quotes."
        )
    }

    // MARK: Lines that do not fit their list or mapping

    /// A line whose indentation or form does not fit.
    private var structure: YAMLError? {
        switch problem {
        case "did not find expected key" where source.bytes.has("- ", at: place):
            syntax(
                "This line does not fit the list above it.", at: place,
                help: "Start every item with \"- \", in the same column.")
        case "did not find expected key":
            misfit(
                "This line does not fit the keys above it.", "The keys above start here.",
                help: "Start all keys of a group in the same column, each with a colon.")
        case "did not find expected '-' indicator":
            misfit(
                "This line does not fit the list above it.", "The list starts here.",
                help: "Start every item with \"- \", in the same column.")
        case "block sequence entries are not allowed in this context":
            syntax(
                "A list item cannot start here.", at: place,
                help:
                    "Put each item on a separate line below the key, or put the text in quotes."
            )
        case "mapping keys are not allowed in this context":
            syntax(
                "Text that starts with ? and a space must be in quotes.", at: place,
                help: "Put the whole text in quotes.")
        case "did not find expected node content":
            syntax(
                "A value is missing before this.", at: place,
                help: "Write the value, or put the text in quotes if the character is part of it.")
        case "did not find expected <document start>":
            syntax(
                "This does not belong to the value above it, which is complete.", at: place,
                help: "Check its indentation, and check that every line is \"key: value\".")
        default: nil
        }
    }

    private func misfit(_ message: String, _ start: String, help: String) -> YAMLError {
        let related = opening.map { YAMLError.Related(message: start, range: range(at: $0)) }
        return syntax(message, at: place, related: related, help: help)
    }
}

extension YAMLScalar.Style {
    fileprivate var isQuoted: Bool { self == .singleQuoted || self == .doubleQuoted }
}
