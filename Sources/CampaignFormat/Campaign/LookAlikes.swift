import CampaignCore

/// Finds placeholders of other tools, such as `{name}`, `%name%` and `*|NAME|*`.
///
/// These placeholders would be sent literally. `[name]` and names with spaces are only reported if
/// the audience has a column with that name.
struct LookAlikes {
    struct Finding: Hashable {
        enum Kind: Hashable {
            /// `name` is nil if the placeholder is not a variable.
            case placeholder(name: String?)
            /// A default in another tool's syntax.
            case fallback(of: String, meant: String)
            /// A word processor's quotes, which have no meaning in YAML.
            case quotes
        }

        let kind: Kind
        /// The range in Unicode scalars.
        let place: Range<Int>
    }

    private static let most = 100
    /// The maximum number of characters between the delimiters of a placeholder.
    private static let longest = 80
    private static let doubleQuotes: Set<Unicode.Scalar> = ["“", "”", "„", "‟"]
    private static let quotes = doubleQuotes.union(["‘", "’", "‚", "‛"])

    private let text: [Unicode.Scalar]
    private let template: LocatedTemplate
    private let columns: AudienceColumns

    init(_ template: LocatedTemplate, columns: AudienceColumns) {
        text = Array(template.template.source.unicodeScalars)
        self.template = template
        self.columns = columns
    }

    /// The findings in order; at most 100.
    var findings: [Finding] {
        let all = wordProcessorQuotes + foreignDefaults + placeholders
        return Array(all.sorted { $0.place.lowerBound < $1.place.lowerBound }.prefix(Self.most))
    }

    /// Curly quotes in unquoted text; within quotes, they are regarded as typography.
    private var wordProcessorQuotes: [Finding] {
        guard template.scalar.value.style == .plain, let first = text.first, let last = text.last
        else { return [] }
        if Self.doubleQuotes.contains(first), Self.doubleQuotes.contains(last),
            !text.dropFirst().dropLast().contains(where: Self.doubleQuotes.contains)
        {
            return [Finding(kind: .quotes, place: text.indices)]
        }
        return template.uses.compactMap { use in
            let place = (use.place.lowerBound - 1)..<(use.place.upperBound + 1)
            guard place.lowerBound >= 0, place.upperBound <= text.count,
                Self.quotes.contains(text[place.lowerBound]),
                Self.quotes.contains(text[place.upperBound - 1])
            else { return nil }
            return Finding(kind: .quotes, place: place)
        }
    }

    private var foreignDefaults: [Finding] {
        template.uses.compactMap { use in
            guard let fallback = use.fallback, let meant = Self.meant(by: fallback) else {
                return nil
            }
            return Finding(kind: .fallback(of: use.name, meant: meant), place: use.place)
        }
    }

    /// The default that `default: "there"` or `'there'` means in other tools.
    private static func meant(by fallback: String) -> String? {
        var rest = Substring(fallback)
        for word in ["default", "fallback"] where rest.hasPrefix(word) {
            var value = rest.dropFirst(word.count).drop { $0 == " " }
            guard let sign = value.popFirst(), ":=(".contains(sign) else { continue }
            if sign == "(", value.last == ")" { value.removeLast() }
            rest = value.drop { $0 == " " }
        }
        let isQuote: (Character) -> Bool = {
            "\"'".contains($0) || $0.unicodeScalars.allSatisfy(quotes.contains)
        }
        if rest.count >= 2, let first = rest.first, let last = rest.last, isQuote(first),
            isQuote(last)
        {
            rest = rest.dropFirst().dropLast()
        }
        return rest.count == fallback.count ? nil : String(rest)
    }

    private var placeholders: [Finding] {
        var found: [Finding] = []
        var variables = template.variablePlaces[...]
        var index = 0
        while index < text.count, found.count < Self.most {
            if let variable = variables.first, variable.lowerBound == index {
                index = variable.upperBound
                variables.removeFirst()
                continue
            }
            let end = variables.first?.lowerBound ?? text.count
            if let finding = placeholder(at: index, before: end) {
                found.append(finding)
                index = finding.place.upperBound
            } else {
                index += 1
            }
        }
        return found
    }

    private func placeholder(at index: Int, before end: Int) -> Finding? {
        switch text[index] {
        case "{": code("{%", "%}", at: index, before: end) ?? braces(at: index, before: end)
        case "$": named("${", "}", at: index, before: end)
        case "#": named("#{", "}", at: index, before: end)
        case "%": percent(at: index, before: end)
        case "*": code("*|", "|*", at: index, before: end)
        case "<":
            code("<%", "%>", at: index, before: end) ?? column("<", ">", at: index, before: end)
        case "[": column("[", "]", at: index, before: end)
        default: nil
        }
    }

    /// `{first_name}`; for a known column also `{First name}`; not `{50% off}` or JSON.
    private func braces(at index: Int, before end: Int) -> Finding? {
        guard let (words, place) = enclosed("{", "}", at: index, before: end) else { return nil }
        let bare = words.first == "$" || words.first == "!" ? String(words.dropFirst()) : words
        let name = Self.withoutDefault(bare)
        guard name == bare && Self.isWord(name) || columns.named(name) != nil else { return nil }
        return Finding(kind: .placeholder(name: name), place: place)
    }

    /// `${first_name}`, and `${first_name:-there}`.
    private func named(_ opening: String, _ closing: String, at index: Int, before end: Int)
        -> Finding?
    {
        guard let (words, place) = enclosed(opening, closing, at: index, before: end) else {
            return nil
        }
        let name = String(words.prefix { MessageTemplate.isName(String($0)) })
        guard name.first?.isLetter == true || name.first == "_" else { return nil }
        return Finding(kind: .placeholder(name: name), place: place)
    }

    /// `%first_name%` and `%%first_name%%`; not "100% sure %" or an address's `%C3%A9`.
    private func percent(at index: Int, before end: Int) -> Finding? {
        if index > 0, text[index - 1].properties.isAlphabetic || text[index - 1].isDigit {
            return nil
        }
        let found =
            enclosed("%%", "%%", at: index, before: end)
            ?? enclosed("%", "%", at: index, before: end)
        guard let (name, place) = found, Self.isWord(name), !text[place].contains(" ") else {
            return nil
        }
        let isEncoded = name.prefix(2).allSatisfy(\.isHexDigit) && !name.contains("_")
        guard !isEncoded || columns.named(name) != nil else { return nil }
        return Finding(kind: .placeholder(name: name), place: place)
    }

    /// Forms that do not occur by chance, such as `*|FNAME|*`, `<%= first_name %>` and `{% if x
    /// %}`.
    private func code(_ opening: String, _ closing: String, at index: Int, before end: Int)
        -> Finding?
    {
        guard let (words, place) = enclosed(opening, closing, at: index, before: end) else {
            return nil
        }
        let name = words.trimming { "=-@ ".contains($0) }
        return Finding(
            kind: .placeholder(name: MessageTemplate.isName(name) ? name : nil), place: place)
    }

    /// `[first_name]` and `<first_name>` for a known column; not a link in Markdown.
    private func column(_ opening: String, _ closing: String, at index: Int, before end: Int)
        -> Finding?
    {
        guard let (words, place) = enclosed(opening, closing, at: index, before: end) else {
            return nil
        }
        let name = Self.withoutDefault(words)
        guard columns.named(name) != nil,
            place.upperBound == text.count || text[place.upperBound] != "("
        else { return nil }
        return Finding(kind: .placeholder(name: name), place: place)
    }

    /// The words before the character that starts a default.
    private static func withoutDefault(_ words: String) -> String {
        words.prefix { !"|,:".contains($0) }.trimming { $0 == " " }
    }

    /// The words are trimmed, and must be on one line.
    private func enclosed(_ opening: String, _ closing: String, at index: Int, before end: Int)
        -> (words: String, place: Range<Int>)?
    {
        let (opening, closing) = (opening.unicodeScalars, closing.unicodeScalars)
        guard text[index..<end].starts(with: opening) else { return nil }
        let start = index + opening.count
        var stop = start
        while stop < end, stop - start <= Self.longest, text[stop] != "\n" {
            guard !text[stop..<end].starts(with: closing) else {
                let words = String(String.UnicodeScalarView(text[start..<stop]))
                let trimmed = words.trimming { $0 == " " }
                return trimmed.isEmpty ? nil : (trimmed, index..<(stop + closing.count))
            }
            stop += 1
        }
        return nil
    }

    /// Whether the name is a word rather than a number or punctuation.
    private static func isWord(_ name: String) -> Bool {
        guard name.count > 1, let first = name.first, first.isLetter || first == "_" else {
            return false
        }
        return MessageTemplate.isName(name)
    }
}

extension Unicode.Scalar {
    fileprivate var isDigit: Bool { ("0"..."9").contains(self) }
}

/// The audience's columns, which can also be found by the names that other tools use.
struct AudienceColumns {
    /// Column names of one widely used tool.
    private static let otherNames = ["fname": "firstname", "lname": "lastname"]

    /// The columns that a variable can name.
    let names: [String]

    init(_ names: [String]) {
        self.names = names.filter(MessageTemplate.isColumn)
    }

    /// Also finds `first_name` by `First Name`, `customer.first_name` and `FNAME`.
    func named(_ name: String) -> String? {
        if names.contains(name) { return name }
        guard name.allSatisfy({ $0.isLetter || $0.isNumber || " _-.".contains($0) }) else {
            return nil
        }
        let last = name.split(separator: ".").last.map(String.init) ?? name
        let wanted = [Self.plain(name), Self.plain(last)]
        let all = wanted + wanted.compactMap { Self.otherNames[$0] }
        return all.lazy.filter { !$0.isEmpty }.compactMap { wanted in
            names.first { Self.plain($0) == wanted }
        }.first
    }

    func nearest(to name: String) -> String? {
        named(name) ?? NearestName.nearest(to: name, among: names)
    }

    /// Removes case and word separators.
    private static func plain(_ name: String) -> String {
        name.lowercased().filter { $0.isLetter || $0.isNumber }
    }
}
