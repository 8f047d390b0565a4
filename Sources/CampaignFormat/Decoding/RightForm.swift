import CampaignCore

/// Writes values of the wrong form in the correct form, for messages.
enum RightForm {
    static let noBroadcast =
        "hubsend does not broadcast. List people under \"usernames\", or in \"files\" or \"runs\"."

    private static let everybody: Set = [
        "*", "all", "any", "anybody", "anyone", "broadcast", "everybody", "everyone", "all users",
    ]

    static func isEverybody(_ node: YAMLNode) -> Bool {
        let words = text(of: node).map { [$0] } ?? words(of: node)
        return words.count == 1 && everybody.contains(words[0].lowercased())
    }

    /// The maximum number of items that a message shows.
    private static let most = 3

    private static let bullets = "-–—•·*"
    private static let brackets = "()（）［］【】"
    private static let separators = ",;，；、"

    /// The words of a list, or of text separated by commas or bullets; empty for anything else.
    static func words(of node: YAMLNode) -> [String] {
        guard !node.isPlaceholder else { return [] }
        switch node.content {
        case .scalar(let scalar):
            let text = scalar.text.trimming { $0.isWhitespace || brackets.contains($0) }
            // Each line of the text was meant to be an item, with or without a hyphen.
            let isFolded =
                node.range.start.line < node.range.end.line
                && text.first.map(bullets.contains) != true
            let parts =
                isFolded
                ? text.split(whereSeparator: \.isWhitespace).filter { $0 != "-" } : [text[...]]
            let words = parts.flatMap { part in
                part.first.map(bullets.contains) == true
                    ? items(ofBulleted: String(part))
                    : part.split { separators.contains($0) }.map { $0.trimming(\.isWhitespace) }
            }
            return words.filter { !$0.isEmpty }
        case .sequence(let items):
            let words = items.map { text(of: $0) }
            return words.contains(nil) ? [] : words.compactMap(\.self)
        case .mapping: return []
        }
    }

    /// The items of a list whose lines became a single value, such as `-alice -bob`.
    private static func items(ofBulleted text: String) -> [String] {
        text.split(whereSeparator: \.isWhitespace).reduce(into: [""]) { items, word in
            let isItem = word.first.map(bullets.contains) == true
            if isItem { items.append("") }
            let rest = isItem ? word.dropFirst() : word
            let last = items.count - 1
            items[last] += (items[last].isEmpty || rest.isEmpty ? "" : " ") + rest
        }
    }

    static func text(of node: YAMLNode) -> String? {
        guard !node.isPlaceholder, case .scalar(let scalar) = node.content, !scalar.text.isEmpty
        else { return nil }
        return scalar.text
    }

    /// Rewrites words as a list, such as `[people.csv]`.
    static func list(_ node: YAMLNode) -> DiagnosticMessage? {
        let words = words(of: node)
        return words.isEmpty ? nil : "[\(joined(words))]"
    }

    static func people(_ node: YAMLNode) -> DiagnosticMessage? {
        let words = words(of: node)
        return words.isEmpty ? nil : "[\(audience: joined(words))]"
    }

    /// Rewrites the name of a campaign as an entry of `runs`.
    static func runs(_ node: YAMLNode) -> DiagnosticMessage? {
        words(of: node).first.map { "[{ campaign: \(audience: quoted($0)) }]" }
    }

    /// Adds the missing key `usernames` or `files` to names or paths.
    static func audience(_ node: YAMLNode) -> DiagnosticMessage? {
        var words = words(of: node)
        // The first word may be the list's own name without its colon.
        if words.count > 1, ["usernames", "files"].contains(words[0]) { words.removeFirst() }
        // A word for true or false is not a name.
        guard !words.isEmpty, words.count > 1 || ValueShape.switches[words[0].lowercased()] == nil
        else { return nil }
        return words.allSatisfy(AudienceFile.isLikely)
            ? "{ files: [\(joined(words))] }" : "{ usernames: [\(audience: joined(words))] }"
    }

    /// Rewrites text as files, and masks it if it may be somebody's name.
    static func files(_ node: YAMLNode) -> DiagnosticMessage? {
        let words = words(of: node)
        return words.allSatisfy(AudienceFile.isLikely) ? list(node) : people(node)
    }

    /// Shortens the text, and quotes it if YAML requires quotes within braces and brackets.
    static func quoted(_ text: String) -> String {
        let isPlain = text.unicodeScalars.allSatisfy { scalar in
            scalar.properties.isAlphabetic || "0123456789 _./@%+-!?".unicodeScalars.contains(scalar)
        }
        let startsWell = text.unicodeScalars.first.map { first in
            first.properties.isAlphabetic || "0123456789_./".unicodeScalars.contains(first)
        }
        guard !isPlain || startsWell != true || text.utf8.last == UInt8(ascii: " ") else {
            return text.shortened
        }
        let escaped = text.replacingBytes("\\", with: "\\\\").replacingBytes("\"", with: "\\\"")
        return "\"" + escaped.replacingBytes("\n", with: "\\n").shortened + "\""
    }

    private static func joined(_ words: [String]) -> String {
        let shown = words.prefix(most).map(quoted) + (words.count > most ? ["…"] : [])
        return shown.joined(separator: ", ")
    }
}

extension StringProtocol {
    func trimming(_ isDropped: (Character) -> Bool) -> String {
        String(drop(while: isDropped).reversed().drop(while: isDropped).reversed())
    }
}
