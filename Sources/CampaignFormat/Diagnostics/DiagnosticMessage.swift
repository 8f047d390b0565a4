/// A sentence that knows which of its words are about people, so that these can be masked.
///
/// ```swift
/// "The username \"\(audience: name)\" has a space."
/// ```
package struct DiagnosticMessage: Hashable, Sendable, ExpressibleByStringInterpolation {
    /// A piece of the sentence.
    package enum Part: Hashable, Sendable {
        case plain(String)
        /// A username or a value of the audience.
        case audience(String)
    }

    /// Collects the pieces.
    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var parts: [Part] = []

        package init(literalCapacity: Int, interpolationCount: Int) {}

        package mutating func appendLiteral(_ literal: String) {
            if !literal.isEmpty { parts.append(.plain(literal)) }
        }

        package mutating func appendInterpolation(_ value: some CustomStringConvertible) {
            parts.append(.plain(value.description))
        }

        /// Adds words that name a person or hold a person's value.
        package mutating func appendInterpolation(audience value: String) {
            parts.append(.audience(value))
        }
    }

    package let parts: [Part]

    package init(stringLiteral value: String) {
        parts = [.plain(value)]
    }

    package init(stringInterpolation: StringInterpolation) {
        parts = stringInterpolation.parts
    }

    /// The sentence as it stands.
    package var text: String { text(maskingAudience: false) }

    /// The sentence.
    ///
    /// - Parameter masksAudience: whether usernames and values become `***`.
    /// - Returns: the whole of it.
    package func text(maskingAudience masksAudience: Bool) -> String {
        parts.map { part in
            switch part {
            case .plain(let text): text
            case .audience(let text): masksAudience ? "***" : text
            }
        }.joined()
    }
}
