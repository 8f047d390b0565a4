/// A language tag, such as `de`, `pt-BR` or `zh-Hant-TW` (BCP 47: RFC 5646).
///
/// Tags are compared case-insensitively. The text has the case that RFC 5646, section 2.1.1,
/// recommends.
package struct LanguageTag: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// The maximum length, which exceeds that of all tags in use; RFC 5646 (section 4.4.1) requires
    /// at least 35.
    private static let longest = 64

    package let text: String

    /// Reads a well-formed tag (RFC 5646, section 2.1) of at most 64 bytes, in any case.
    ///
    /// This does not check whether the language, script or region exists.
    package init?(_ text: String) {
        guard text.utf8.count <= Self.longest else { return nil }
        let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
            .map(Subtag.init)
        guard Grammar.accepts(parts) else { return nil }
        var isExtended = false
        self.text = parts.enumerated().map { index, part in
            defer { isExtended = isExtended || part.isSingle }
            return index == 0 || isExtended ? part.lower : part.recommended
        }.joined(separator: "-")
    }

    package init(checked text: String) {
        self.text = text
    }

    /// The tag, then each shorter one: `zh-Hant-TW`, `zh-Hant`, `zh` (RFC 4647, section 3.4).
    package var prefixes: [LanguageTag] {
        var parts = text.split(separator: "-")
        var prefixes: [LanguageTag] = []
        while !parts.isEmpty {
            prefixes.append(LanguageTag(checked: parts.joined(separator: "-")))
            parts.removeLast()
            // A single letter at the end is removed too, because it only introduces the subtags
            // after it.
            while let last = parts.last, last.utf8.count == 1 { parts.removeLast() }
        }
        return prefixes
    }

    /// The longest of the tags that is this tag or a prefix of it.
    package func best(among tags: some Collection<LanguageTag>) -> LanguageTag? {
        prefixes.first(where: tags.contains)
    }

    package var description: String { text }

    package static func < (one: LanguageTag, other: LanguageTag) -> Bool {
        one.text < other.text
    }
}

private struct Subtag {
    let lower: String
    let count: Int
    let isAlphabetic: Bool
    let isAlphanumeric: Bool
    let startsWithDigit: Bool
    let isNumeric: Bool

    init(_ bytes: some Sequence<UInt8>) {
        let bytes = Array(bytes)
        lower = String(decoding: bytes, as: UTF8.self).lowercased()
        count = bytes.count
        let isDigit: (UInt8) -> Bool = { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
        let isLetter: (UInt8) -> Bool = { UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 | 0x20 }
        isAlphabetic = bytes.allSatisfy(isLetter)
        isNumeric = bytes.allSatisfy(isDigit)
        isAlphanumeric = bytes.allSatisfy { isLetter($0) || isDigit($0) }
        startsWithDigit = bytes.first.map(isDigit) ?? false
    }

    var isSingle: Bool { count == 1 }

    /// The recommended case of subtags after the language: region in upper case, script
    /// capitalised.
    var recommended: String {
        switch (count, isAlphabetic) {
        case (2, true): lower.uppercased()
        case (4, true): lower.prefix(1).uppercased() + lower.dropFirst()
        default: lower
        }
    }
}

/// The grammar of RFC 5646, section 2.1, without the irregular tags from before 2006.
///
/// Languages of four or more letters are also refused: none is registered, and people write words
/// such as `german`.
private enum Grammar {
    static func accepts(_ parts: [Subtag]) -> Bool {
        guard parts.allSatisfy({ (1...8).contains($0.count) && $0.isAlphanumeric }) else {
            return false
        }
        var rest = parts[...]
        guard let language = rest.popFirst() else { return false }
        if language.lower == "x" { return !rest.isEmpty }
        guard language.isAlphabetic, 2...3 ~= language.count else { return false }
        var extensions = 0
        while extensions < 3, let next = rest.first, next.isAlphabetic, next.count == 3 {
            rest.removeFirst()
            extensions += 1
        }
        if let next = rest.first, next.isAlphabetic, next.count == 4 { rest.removeFirst() }
        if let next = rest.first,
            next.isAlphabetic && next.count == 2 || next.isNumeric && next.count == 3
        {
            rest.removeFirst()
        }
        return acceptsVariants(&rest) && acceptsExtensions(&rest)
    }

    private static func acceptsVariants(_ rest: inout ArraySlice<Subtag>) -> Bool {
        var seen: Set<String> = []
        while let next = rest.first, next.count >= 5 || next.count == 4 && next.startsWithDigit {
            guard seen.insert(next.lower).inserted else { return false }
            rest.removeFirst()
        }
        return true
    }

    private static func acceptsExtensions(_ rest: inout ArraySlice<Subtag>) -> Bool {
        var seen: Set<String> = []
        while let single = rest.popFirst() {
            guard single.isSingle, seen.insert(single.lower).inserted else { return false }
            // Everything after an x is private.
            if single.lower == "x" { return !rest.isEmpty }
            guard let first = rest.first, !first.isSingle else { return false }
            while let next = rest.first, !next.isSingle { rest.removeFirst() }
        }
        return true
    }
}

/// Chooses a campaign's language for people, with a cache.
package struct LanguageChoice: Sendable {
    /// The maximum size of the cache, because an audience file could contain millions of tags.
    private static let most = 1_000

    private let languages: Set<LanguageTag>
    private var known: [LanguageTag: LanguageTag?] = [:]

    package init(_ languages: [LanguageTag]) {
        self.languages = Set(languages)
    }

    /// The longest prefix of a language for which the campaign has texts; nil means the default
    /// texts.
    package mutating func language(for language: LanguageTag?) -> LanguageTag? {
        guard let language, !languages.isEmpty else { return nil }
        if let found = known[language] { return found }
        let found = language.best(among: languages)
        if known.count < Self.most { known[language] = .some(found) }
        return found
    }
}
