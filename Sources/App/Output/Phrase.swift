import CampaignCore

/// A sentence in which words from a file are marked, so that every format can set them apart.
///
/// ```swift
/// "nobody has \(name: "de"), though \(given: "message") does"
/// ```
struct Phrase: Hashable, Sendable, ExpressibleByStringInterpolation {
    enum Part: Hashable, Sendable {
        /// Words that hubsend itself writes.
        case words(String)
        /// A checked word from a file, such as a username or a language.
        case name(String)
        case given(String)
        case strong(String, TextStyle.Emphasis?)
        /// HTML that only pages show.
        case markup(String)
    }

    struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var parts: [Part] = []

        init(literalCapacity: Int, interpolationCount: Int) {}

        mutating func appendLiteral(_ literal: String) {
            if !literal.isEmpty { parts.append(.words(literal)) }
        }

        mutating func appendInterpolation(_ words: String) {
            parts.append(.words(words))
        }

        mutating func appendInterpolation(_ number: Int) {
            parts.append(.words(Figures.count(number)))
        }

        mutating func appendInterpolation(_ phrase: Phrase) {
            parts += phrase.parts
        }

        /// A checked word from a file.
        mutating func appendInterpolation(name word: String) {
            parts.append(.name(word))
        }

        mutating func appendInterpolation(given words: String) {
            parts.append(.given(words))
        }

        /// Text output may show hubsend's own words in bold or in colour.
        mutating func appendInterpolation(_ words: String, _ emphasis: TextStyle.Emphasis?) {
            parts.append(.strong(words, emphasis))
        }

        mutating func appendInterpolation(markup: String) {
            parts.append(.markup(markup))
        }
    }

    /// The maximum number of characters of text from a file.
    private static let longest = 120

    let parts: [Part]

    init(stringLiteral value: String) {
        parts = [.words(value)]
    }

    init(stringInterpolation: StringInterpolation) {
        parts = stringInterpolation.parts
    }

    init(_ words: String) {
        parts = [.words(words)]
    }

    private init(parts: [Part]) {
        self.parts = parts
    }

    /// Joins phrases with commas.
    static func list(_ phrases: [Phrase]) -> Phrase {
        Phrase(parts: Array(phrases.map(\.parts).joined(separator: [.words(", ")])))
    }

    /// Lists the first names, and says how many more there are.
    static func names(_ names: [String], most: Int = 3) -> Phrase {
        let first = list(names.prefix(most).map { name -> Phrase in "\(name: name)" })
        let left = names.count - most
        return left > 0 ? "\(first) and \(left) more" : first
    }

    /// The phrase as text, in which text from files is quoted and on one line.
    var text: String { text(.plain) }

    func text(_ style: TextStyle) -> String {
        rendered(
            name: { $0 }, given: { "\"\($0)\"" }, strong: { style.apply($1, to: $0) })
    }

    /// `given` receives text from files on one line, cut and without invisible characters.
    func rendered(
        words: (String) -> String = { $0 }, name: (String) -> String,
        given: (String) -> String, strong: ((String, TextStyle.Emphasis?) -> String)? = nil,
        markup: (String) -> String = { _ in "" }
    ) -> String {
        parts.map { part in
            switch part {
            case .words(let text): words(text)
            case .name(let text): name(Self.line(text))
            case .given(let text): given(Self.line(text))
            case .strong(let text, let emphasis): strong?(text, emphasis) ?? words(text)
            case .markup(let html): markup(html)
            }
        }.joined()
    }

    private static func line(_ text: String) -> String {
        let visible = VisibleText.escape(String(text.prefix(longest + 1)))
        guard visible.count > longest else { return visible }
        return String(visible.prefix(longest)) + "…"
    }
}
