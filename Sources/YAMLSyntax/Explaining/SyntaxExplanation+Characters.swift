/// Characters that cannot stand where they do.
extension SyntaxExplanation {
    /// A tab where YAML wants spaces.
    var tab: YAMLFault? {
        guard byte(at: place) == .tab,
            problem.contains("tab character") || problem == Self.cannotStart
        else { return nil }
        var end = place
        while byte(at: end) == .tab { end += 1 }
        return YAMLFault(
            .syntax, "A tab cannot indent a line; YAML indents with spaces only.",
            at: source.range(ofBytes: place..<end),
            help: "Replace each tab by two spaces; set the editor to insert spaces.")
    }

    /// A text that begins with a character which YAML keeps for itself.
    var character: YAMLFault? {
        guard problem == Self.cannotStart, let byte = byte(at: place), byte < 0x80 else {
            return nil
        }
        let name = Character(Unicode.Scalar(byte))
        return syntax(
            "A text cannot start with \(name) unless it is in quotes.", at: place,
            help: "Put the whole text in quotes: \"\(name)…\".")
    }

    /// A backslash in double quotes that YAML gives no meaning.
    ///
    /// Of a numeric escape libyaml names the first digit, two bytes behind the backslash.
    var escape: YAMLFault? {
        switch problem {
        case "found unknown escape character":
            syntax(
                "This backslash and the character after it mean nothing in double quotes.",
                at: place,
                help: "Write \\\\ for a backslash, or put the text in single quotes.")
        case "did not find expected hexdecimal number":
            syntax(
                "The escapes \\x, \\u and \\U need 2, 4 and 8 hexadecimal digits.",
                at: place - 2,
                help: "Write all the digits, or put the text in single quotes.")
        case "found invalid Unicode character escape code":
            syntax(
                "This escape does not name a Unicode character.", at: place - 2,
                help: "Write the character itself.")
        default: nil
        }
    }

    /// A `*`, `&` or `!` that was meant as text.
    var property: YAMLFault? {
        if context == "while scanning an alias" || context == "while scanning an anchor" {
            let name = context == "while scanning an alias" ? "*" : "&"
            return syntax(
                "A text that starts with \(name) needs quotes; YAML reads the \(name) itself.",
                at: opening ?? place, help: "Put the whole text in quotes: \"\(name)…\".")
        }
        guard
            context == "while scanning a tag" || context == "while parsing a tag"
                || problem == "found undefined tag handle"
        else { return nil }
        return .unsupportedTag(at: range(at: opening ?? place))
    }

    /// A line that begins with `%`.
    var directive: YAMLFault? {
        guard
            context.hasSuffix("directive") || problem == "found incompatible YAML document"
                || problem == "found duplicate %YAML directive"
        else { return nil }
        let start = source.startOfLine(at: opening ?? place)
        return .unsupportedDirective(at: source.range(ofBytes: start..<source.endOfLine(at: start)))
    }

    private static let cannotStart = "found character that cannot start any token"
}
