/// A problem with a file's YAML; the message only repeats keys, so it can be logged.
package struct YAMLError: Error, Hashable, Sendable {
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

extension YAMLError: CustomStringConvertible {
    /// The place and the message, without the help.
    package var description: String {
        "line \(range.start.line), column \(range.start.column): \(message)"
    }
}

extension YAMLError {
    static let outOfMemory = YAMLError(
        .tooLarge, "There is not enough memory to read the file.",
        at: SourceRange(start: .start, end: .start))

    static func multipleDocuments(at range: SourceRange) -> YAMLError {
        YAMLError(
            .multipleDocuments,
            "A second document starts here; a file can contain only one document.",
            at: range,
            help: "Move it to a separate file.")
    }

    static func unsupportedDirective(at range: SourceRange) -> YAMLError {
        YAMLError(
            .unsupportedDirective,
            "A line that starts with % is a directive; only %YAML 1.1 and %YAML 1.2 are supported.",
            at: range, help: "Remove the line, or put the text in quotes.")
    }
}

/// Errors that end the reading of a file that is too large.
extension YAMLError {
    static func tooLarge(_ count: Int, limit: Int, at range: SourceRange) -> YAMLError {
        YAMLError(
            .tooLarge, "The file has \(count) bytes; the limit is \(limit) bytes.", at: range,
            help: "Move long lists to separate files.")
    }

    static func tooDeep(limit: Int, at range: SourceRange) -> YAMLError {
        YAMLError(
            .tooDeep, "Lists and mappings are nested more than \(limit) levels deep here.",
            at: range,
            help: "Check for brackets that are opened and never closed.")
    }

    static func tooManyNodes(limit: Int, at range: SourceRange) -> YAMLError {
        YAMLError(
            .tooManyNodes, "The file has more than \(limit) values.", at: range,
            help: "Move long lists to separate files.")
    }

    static func tooMuchExpansion(limit: Int, at range: SourceRange) -> YAMLError {
        YAMLError(
            .tooMuchExpansion,
            "The aliases up to here expand to more than \(limit) values.", at: range,
            help: "Write the values out, or move long lists to separate files.")
    }

    static func tooManyFaults(limit: Int, at range: SourceRange) -> YAMLError {
        YAMLError(
            .tooManyFaults,
            "The file has more than \(limit) errors; the rest of it was not read.", at: range,
            help: "Fix the errors above, then check again.")
    }
}

extension YAMLError {
    static func duplicateKey(_ key: String, at range: SourceRange, first: SourceRange) -> YAMLError
    {
        let name = key.count > 60 ? "\(key.prefix(60))…" : key
        return YAMLError(
            .duplicateKey, "The key \"\(name)\" is already set on line \(first.start.line).",
            at: range, related: Related(message: "The key is first set here.", range: first),
            help: "Keep one of the two; if you need both, merge their values.", key: name)
    }

    static func complexKey(at range: SourceRange) -> YAMLError {
        YAMLError(
            .complexKey, "A list or a mapping cannot be a key.", at: range,
            help: "Put the text in quotes if the braces or brackets are part of it.")
    }

    /// Unquoted text such as `{{name}}`, which YAML reads as a mapping within a mapping.
    static func unquotedVariable(at range: SourceRange) -> YAMLError {
        YAMLError(
            .complexKey, "Text that starts with {{ must be in quotes; YAML interprets the braces.",
            at: range, help: "Put the whole text in double quotes: \"{{name}} …\".")
    }

    static func mergeKey(at range: SourceRange) -> YAMLError {
        YAMLError(
            .mergeKey, "Merge keys (<<) are not part of YAML 1.2 and are not supported.",
            at: range, help: "Write the keys out here.")
    }

    static func unknownAlias(at range: SourceRange) -> YAMLError {
        YAMLError(
            .unknownAlias, "This alias does not refer to an anchor above it.", at: range,
            help: "If the * is part of the text, put the text in quotes.")
    }

    static func recursiveAlias(at range: SourceRange) -> YAMLError {
        YAMLError(
            .recursiveAlias, "This alias is inside the value that it refers to.", at: range,
            help: "Write the value out here, or move the anchor.")
    }

    static func unsupportedTag(at range: SourceRange) -> YAMLError {
        let supported = YAMLTag.allCases.map(\.rawValue).joined(separator: ", ")
        return YAMLError(
            .unsupportedTag, "This tag is not supported; the supported tags are \(supported).",
            at: range,
            help: "If the ! is part of the text, put the text in quotes.")
    }

    static func misplacedTag(_ tag: YAMLTag, at range: SourceRange) -> YAMLError {
        YAMLError(
            .unsupportedTag, "The tag \(tag.rawValue) does not fit the value after it.",
            at: range, help: "Remove the tag.")
    }

    /// Whether a later error is only a consequence of this one: unquoted braces also break the text
    /// after them.
    func explains(_ later: YAMLError) -> Bool {
        rule == .complexKey && later.rule == .syntax
            && later.range.start.line == range.start.line
    }
}
