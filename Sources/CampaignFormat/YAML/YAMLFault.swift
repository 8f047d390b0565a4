/// Something wrong with a file as YAML; the message repeats only keys, so that it can be logged.
package struct YAMLFault: Error, Hashable, Sendable {
    package struct Related: Hashable, Sendable {
        /// A full sentence.
        package let message: String

        package let range: SourceRange
    }

    package let rule: Rule

    /// A full sentence.
    package let message: String

    package let range: SourceRange

    /// A second place, such as the first of two equal keys.
    package let related: Related?

    /// What to do, as a full sentence.
    package let help: String?

    /// The key that the message repeats in quotes.
    package let key: String?

    init(
        _ rule: Rule, _ message: String, at range: SourceRange, related: Related? = nil,
        help: String? = nil, key: String? = nil
    ) {
        self.rule = rule
        self.message = message
        self.range = range
        self.related = related
        self.help = help
        self.key = key
    }
}

extension YAMLFault: CustomStringConvertible {
    /// Place and message, without the help.
    package var description: String {
        "line \(range.start.line), column \(range.start.column): \(message)"
    }
}

extension YAMLFault {
    static let outOfMemory = YAMLFault(
        .tooLarge, "There is not enough memory to read the file.",
        at: SourceRange(start: .start, end: .start))

    static func multipleDocuments(at range: SourceRange) -> YAMLFault {
        YAMLFault(
            .multipleDocuments, "A second document starts here; a file holds one.", at: range,
            help: "Move it to a file of its own.")
    }

    static func unsupportedDirective(at range: SourceRange) -> YAMLFault {
        YAMLFault(
            .unsupportedDirective,
            "A line that starts with % is a directive; only %YAML 1.1 and %YAML 1.2 are known.",
            at: range, help: "Remove the line, or put the text in quotes.")
    }
}

/// The faults that end the reading of too large a file.
extension YAMLFault {
    static func tooLarge(_ count: Int, limit: Int, at range: SourceRange) -> YAMLFault {
        YAMLFault(
            .tooLarge, "The file has \(count) bytes; at most \(limit) are read.", at: range,
            help: "Move long lists to files of their own.")
    }

    static func tooDeep(limit: Int, at range: SourceRange) -> YAMLFault {
        YAMLFault(
            .tooDeep, "Lists and mappings are nested more than \(limit) deep here.", at: range,
            help: "Check for brackets that are opened and never closed.")
    }

    static func tooManyNodes(limit: Int, at range: SourceRange) -> YAMLFault {
        YAMLFault(
            .tooManyNodes, "The file has more than \(limit) values.", at: range,
            help: "Move long lists to files of their own.")
    }

    static func tooMuchExpansion(limit: Int, at range: SourceRange) -> YAMLFault {
        YAMLFault(
            .tooMuchExpansion,
            "The aliases up to here stand for more than \(limit) values.", at: range,
            help: "Write the values out, or move long lists to files of their own.")
    }

    static func tooManyFaults(limit: Int, at range: SourceRange) -> YAMLFault {
        YAMLFault(
            .tooManyFaults,
            "The file has more than \(limit) faults; the rest of it was not read.", at: range,
            help: "Mend the ones above and check again.")
    }
}

extension YAMLFault {
    static func duplicateKey(_ key: String, at range: SourceRange, first: SourceRange) -> YAMLFault
    {
        let name = key.count > 60 ? "\(key.prefix(60))…" : key
        return YAMLFault(
            .duplicateKey, "The key \"\(name)\" is already set at line \(first.start.line).",
            at: range, related: Related(message: "The key is first set here.", range: first),
            help: "Keep one of the two. If both count, put what they hold into one.", key: name)
    }

    static func complexKey(at range: SourceRange) -> YAMLFault {
        YAMLFault(
            .complexKey, "A list or a mapping cannot be a key.", at: range,
            help: "Put the text in quotes if its braces or brackets belong to it.")
    }

    /// A text such as `{{name}}` without quotes, which YAML reads as a mapping in a mapping.
    static func unquotedVariable(at range: SourceRange) -> YAMLFault {
        YAMLFault(
            .complexKey, "A text that starts with {{ needs quotes; YAML reads the braces itself.",
            at: range, help: "Put the whole text in double quotes: \"{{name}} …\".")
    }

    static func mergeKey(at range: SourceRange) -> YAMLFault {
        YAMLFault(
            .mergeKey, "Merge keys (<<) are not part of YAML 1.2 and are not supported.",
            at: range, help: "Write the keys out here.")
    }

    static func unknownAlias(at range: SourceRange) -> YAMLFault {
        YAMLFault(
            .unknownAlias, "This alias names no anchor above it.", at: range,
            help: "If the * belongs to the text, put the text in quotes.")
    }

    static func recursiveAlias(at range: SourceRange) -> YAMLFault {
        YAMLFault(
            .recursiveAlias, "This alias stands inside the value that it names.", at: range,
            help: "Write the value out here, or move the anchor.")
    }

    static func unsupportedTag(at range: SourceRange) -> YAMLFault {
        let supported = YAMLTag.allCases.map(\.rawValue).joined(separator: ", ")
        return YAMLFault(
            .unsupportedTag, "This tag is not supported; supported are \(supported).", at: range,
            help: "If the ! belongs to the text, put the text in quotes.")
    }

    static func misplacedTag(_ tag: YAMLTag, at range: SourceRange) -> YAMLFault {
        YAMLFault(
            .unsupportedTag, "The tag \(tag.rawValue) does not fit the value after it.",
            at: range, help: "Remove the tag.")
    }

    /// Whether a later fault only follows from this one: unquoted braces also break the text after
    /// them.
    func explains(_ later: YAMLFault) -> Bool {
        rule == .complexKey && later.rule == .syntax
            && later.range.start.line == range.start.line
    }
}
