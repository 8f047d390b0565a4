import CampaignCore

/// A file's keys and values, for plans; comments, formatting and key order are ignored.
package enum KeyOutline {
    /// The maximum number of lines of a value.
    private static let mostLines = 2_000

    /// Lists of people are left out: a plan contains a digest of the final audience instead,
    /// because the name behind the digest of a single name could be guessed.
    private static let people: Set = ["audience.usernames", "audience.exclude.usernames"]

    /// Returns the keys in order, with their paths, without lists of people; nil `sections` means
    /// all.
    static func of(_ root: YAMLNode, sections: Set<String>? = nil) -> [KeyText] {
        guard case .mapping(let entries) = root.content else { return [] }
        var texts: [KeyText] = []
        for entry in entries {
            guard case .scalar(let key) = entry.key.content, sections?.contains(key.text) ?? true
            else { continue }
            add(entry.value, at: key.text, meaning: key.text, to: &texts)
        }
        return texts
    }

    /// Masks text that looks like a secret, and escapes control characters.
    package static func shown(_ line: String) -> String {
        VisibleText.escape(SecretMask.apply(to: line))
    }

    /// `path` is unique; `key` does not contain the numbers that distinguish repeated keys.
    private static func add(
        _ node: YAMLNode, at path: String, meaning key: String, to texts: inout [KeyText]
    ) {
        guard !people.contains(key) else { return }
        switch node.content {
        case .scalar(let scalar):
            // The last line contains the rest.
            let lines = scalar.text.split(
                separator: "\n", maxSplits: mostLines - 1, omittingEmptySubsequences: false)
            texts.append(KeyText(key: path, lines: lines.map(String.init)))
        case .sequence(let items):
            let words = items.compactMap { item in
                if case .scalar(let scalar) = item.content { scalar.text } else { nil }
            }
            guard words.count < items.count else {
                let rest = words.dropFirst(mostLines - 1)
                let lines =
                    words.prefix(mostLines - 1)
                    + (rest.isEmpty ? [] : [rest.joined(separator: "\n")])
                texts.append(KeyText(key: path, lines: Array(lines)))
                return
            }
            for (number, item) in items.enumerated() {
                add(item, at: "\(path)[\(number)]", meaning: "\(key)[\(number)]", to: &texts)
            }
        case .mapping(let entries):
            // The config's `defaults.audience.exclude` follows the campaign's own, because both
            // apply.
            var repeats: [String: Int] = [:]
            for entry in entries {
                guard case .scalar(let name) = entry.key.content else { continue }
                let number = repeats[name.text, default: 0]
                repeats[name.text] = number + 1
                let mark = number == 0 ? "" : "[\(number)]"
                add(
                    entry.value, at: "\(path).\(name.text)\(mark)",
                    meaning: "\(key).\(name.text)", to: &texts)
            }
        }
    }
}
