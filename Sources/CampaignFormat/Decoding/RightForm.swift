import CampaignCore
import YAMLSyntax

/// Values of the wrong shape, written in the right one, for messages to show.
enum RightForm {
    /// More items than this tell nobody more.
    private static let most = 3

    /// What other programs and people put in front of the items of a list.
    private static let bullets = "-–—•·*"
    /// What they put around a list, and between its items.
    private static let brackets = "()（）［］【】"
    private static let separators = ",;，；、"

    /// The words of a text, which commas or bullets may divide, or of a list; empty for anything else.
    static func words(of node: YAMLNode) -> [String] {
        guard !node.isPlaceholder else { return [] }
        switch node.content {
        case .scalar(let scalar):
            let text = scalar.text.trimming { $0.isWhitespace || brackets.contains($0) }
            // The lines of one text were meant as items, with or without a hyphen.
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

    /// The items of a list whose lines became one text, such as `-alice -bob`.
    private static func items(ofBulleted text: String) -> [String] {
        text.split(whereSeparator: \.isWhitespace).reduce(into: [""]) { items, word in
            let isItem = word.first.map(bullets.contains) == true
            if isItem { items.append("") }
            let rest = isItem ? word.dropFirst() : word
            let last = items.count - 1
            items[last] += (items[last].isEmpty || rest.isEmpty ? "" : " ") + rest
        }
    }

    /// A single text; nil for anything else.
    static func text(of node: YAMLNode) -> String? {
        guard !node.isPlaceholder, case .scalar(let scalar) = node.content, !scalar.text.isEmpty
        else { return nil }
        return scalar.text
    }

    /// The list that a text was meant as, such as `[people.csv]`.
    static func list(_ node: YAMLNode) -> DiagnosticMessage? {
        let words = words(of: node)
        return words.isEmpty ? nil : "[\(joined(words))]"
    }

    /// The same for a list that names people.
    static func people(_ node: YAMLNode) -> DiagnosticMessage? {
        let words = words(of: node)
        return words.isEmpty ? nil : "[\(audience: joined(words))]"
    }

    /// The keys of an audience, or of those left out of it, for names or files without them.
    static func audience(_ node: YAMLNode) -> DiagnosticMessage? {
        var words = words(of: node)
        // The name of the list itself, whose colon was forgotten.
        if words.count > 1, ["usernames", "files"].contains(words[0]) { words.removeFirst() }
        guard !words.isEmpty else { return nil }
        return words.allSatisfy(AudienceFile.isLikely)
            ? "{ files: [\(joined(words))] }" : "{ usernames: [\(audience: joined(words))] }"
    }

    /// The list of files that a text was meant as; what stands there may as well be names.
    static func files(_ node: YAMLNode) -> DiagnosticMessage? {
        let words = words(of: node)
        return words.allSatisfy(AudienceFile.isLikely) ? list(node) : people(node)
    }

    /// A text as YAML takes it within braces and brackets, shortened, in quotes where it needs them.
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
    /// Drops the characters at both ends for which a condition holds.
    func trimming(_ isDropped: (Character) -> Bool) -> String {
        String(drop(while: isDropped).reversed().drop(while: isDropped).reversed())
    }
}
