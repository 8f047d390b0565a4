import CampaignCore

/// A sentence that knows which of its words come from a file, so that every form can set them apart.
///
/// ```swift
/// "nobody has \(name: "de"), though \(given: "message") does"
/// ```
package struct Phrase: Hashable, Sendable, ExpressibleByStringInterpolation {
    /// A piece of the sentence.
    package enum Part: Hashable, Sendable {
        /// Our own.
        case words(String)
        /// A word of a file's of which only letters, digits and a few signs are allowed: a username, a language.
        case name(String)
        /// Any text of a file.
        case given(String)
    }

    /// Collects the pieces.
    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var parts: [Part] = []

        package init(literalCapacity: Int, interpolationCount: Int) {}

        package mutating func appendLiteral(_ literal: String) {
            if !literal.isEmpty { parts.append(.words(literal)) }
        }

        /// Adds words of our own.
        package mutating func appendInterpolation(_ words: String) {
            parts.append(.words(words))
        }

        /// Adds a number as people read it.
        package mutating func appendInterpolation(_ number: Int) {
            parts.append(.words(Figures.count(number)))
        }

        /// Adds another phrase.
        package mutating func appendInterpolation(_ phrase: Phrase) {
            parts += phrase.parts
        }

        /// Adds a word that comes from a file and was checked to be one.
        package mutating func appendInterpolation(name word: String) {
            parts.append(.name(word))
        }

        /// Adds words that come from a file.
        package mutating func appendInterpolation(given words: String) {
            parts.append(.given(words))
        }
    }

    /// The most characters of what comes from a file.
    private static let longest = 120

    package let parts: [Part]

    package init(stringLiteral value: String) {
        parts = [.words(value)]
    }

    package init(stringInterpolation: StringInterpolation) {
        parts = stringInterpolation.parts
    }

    /// Words of our own.
    package init(_ words: String) {
        parts = [.words(words)]
    }

    private init(parts: [Part]) {
        self.parts = parts
    }

    /// Several phrases as one, with commas between them.
    static func list(_ phrases: [Phrase]) -> Phrase {
        Phrase(parts: Array(phrases.map(\.parts).joined(separator: [.words(", ")])))
    }

    /// The sentence, with what comes from files in quotes on one line.
    package var text: String { rendered(name: { $0 }, given: { "\"\($0)\"" }) }

    /// The sentence in another form.
    ///
    /// - Parameters:
    ///   - words: how words of our own are written.
    ///   - name: how a name is written.
    ///   - given: how words out of files are written; they are on one line, without what cannot be seen, and cut.
    func rendered(
        words: (String) -> String = { $0 }, name: (String) -> String,
        given: (String) -> String
    ) -> String {
        parts.map { part in
            switch part {
            case .words(let text): words(text)
            case .name(let text): name(Self.line(text))
            case .given(let text): given(Self.line(text))
            }
        }.joined()
    }

    /// A text on one line, cut at a length that a sentence can bear.
    private static func line(_ text: String) -> String {
        let visible = VisibleText.escape(String(text.prefix(longest + 1)))
        guard visible.count > longest else { return visible }
        return String(visible.prefix(longest)) + "…"
    }
}
