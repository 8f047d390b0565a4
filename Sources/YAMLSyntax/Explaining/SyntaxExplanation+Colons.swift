/// Colons: too many, or without their space.
extension SyntaxExplanation {
    /// A colon that does not make a key, or a key without a colon.
    var colon: YAMLFault? {
        switch problem {
        case "mapping values are not allowed in this context":
            missingSpace ?? colonInText ?? deeperThanValue ?? noColonAbove
                ?? syntax(
                    "A key cannot stand here.", at: place,
                    help: "Put the text in quotes if its colon belongs to it.")
        case "could not find expected ':'":
            missingSpace ?? missingSpaceAfterDash ?? noColon(at: firstOfLine(at: opening ?? place))
        case "found unexpected ':'":
            syntax(
                "A colon cannot stand here in a text without quotes.", at: place,
                help: "Put the text in quotes.")
        default: nil
        }
    }

    /// A line such as `key:value`, here or above.
    private var missingSpace: YAMLFault? {
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
    private var missingSpaceAfterDash: YAMLFault? {
        let first = firstOfLine(at: opening ?? place)
        guard byte(at: first)?.is("-") == true else { return nil }
        return syntax(
            "There is no space after this dash.", at: first,
            help: "Write \"- item\", with a space after the dash.")
    }

    /// A line that was meant as a key, above a key in the same column.
    private var noColonAbove: YAMLFault? {
        guard let above = startOfLineAbove(place) else { return nil }
        let first = firstOfLine(at: above)
        guard first - above == firstOfLine(at: place) - source.startOfLine(at: place) else {
            return nil
        }
        return noColon(at: first)
    }

    private func noColon(at first: Int) -> YAMLFault {
        syntax(
            "This line is neither a key with a colon nor part of the value above.", at: first,
            help: "Write \"key: value\"; indent the line if it continues a text.")
    }

    /// A value without quotes that has a colon of its own, such as `message: Note: buy`.
    private var colonInText: YAMLFault? {
        let text = source.bytes[source.startOfLine(at: place)..<place]
        guard
            text.firstIndex(where: { $0.is(":") }).map({ byte(at: $0 + 1)?.isBlank == true })
                == true
        else { return nil }
        return syntax(
            "A text without quotes cannot have a colon with a space after it.", at: place,
            help: "Put the whole text in quotes.")
    }

    /// A key that is indented below a key which has its value already.
    private var deeperThanValue: YAMLFault? {
        guard let above = startOfLineAbove(place) else { return nil }
        let first = firstOfLine(at: place)
        let firstAbove = firstOfLine(at: above)
        guard first - source.startOfLine(at: place) > firstAbove - above else { return nil }
        return syntax(
            "This key is indented below a line that has its value already.", at: first,
            related: YAMLFault.Related(
                message: "The line above starts here.", range: range(at: firstAbove)),
            help: "Start the key in the same column as the key above it.")
    }

    /// The colon of a line that starts like `key:value`; not that of an address such as `https:`.
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

    /// The first byte from an offset on that is no space or tab.
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
}
