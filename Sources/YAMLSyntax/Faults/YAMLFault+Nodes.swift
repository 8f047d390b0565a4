/// The faults of nodes that are well-formed YAML.
extension YAMLFault {
    static func duplicateKey(_ key: String, at range: SourceRange, first: SourceRange) -> YAMLFault
    {
        let name = key.count > 60 ? "\(key.prefix(60))…" : key
        return YAMLFault(
            .duplicateKey, "The key \"\(name)\" is already set at line \(first.start.line).",
            at: range, related: Related(message: "The key is first set here.", range: first),
            help: "Keep one of the two.")
    }

    static func complexKey(at range: SourceRange) -> YAMLFault {
        YAMLFault(
            .complexKey, "A list or a mapping cannot be a key.", at: range,
            help: "Put the text in quotes if its braces or brackets belong to it.")
    }

    /// A text such as `{{name}}` outside quotes, which YAML reads as a mapping in a mapping.
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

    /// Whether a later fault only follows from this one: unquoted braces also break the syntax of
    /// the text after them.
    func explains(_ later: YAMLFault) -> Bool {
        rule == .complexKey && later.rule == .syntax
            && later.range.start.line == range.start.line
    }
}
