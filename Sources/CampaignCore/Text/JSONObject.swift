#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A JSON document.
///
/// Its keys are sorted, so equal values have equal bytes.
package protocol JSONLine: Encodable, Sendable {}

extension JSONLine {
    /// One line in UTF-8, with a line feed.
    package func line() throws -> [UInt8] { try bytes(.sortedKeys) }

    /// Returns the document on several lines, for people.
    package func document() throws -> [UInt8] { try bytes([.sortedKeys, .prettyPrinted]) }

    private func bytes(_ formatting: JSONEncoder.OutputFormatting) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = formatting.union(.withoutEscapingSlashes)
        let text = String(decoding: try encoder.encode(self), as: UTF8.self)
        return Array(VisibleText.json(text).utf8) + [UInt8(ascii: "\n")]
    }
}

/// A JSON object, in which nil is written as null.
///
/// A key that is sometimes missing would be harder to use.
package struct JSONObject: JSONLine, ExpressibleByDictionaryLiteral {
    package typealias Content = any Encodable & Sendable
    package typealias Key = String
    package typealias Value = Content?

    private struct Member: Encodable {
        let value: Content?

        func encode(to encoder: any Encoder) throws {
            if let value {
                try value.encode(to: encoder)
            } else {
                var container = encoder.singleValueContainer()
                try container.encodeNil()
            }
        }
    }

    private var members: [String: Content?]

    package init(dictionaryLiteral members: (String, Content?)...) {
        self.members = Dictionary(members) { _, last in last }
    }

    package var withoutNulls: JSONObject {
        var object = self
        object.members = members.filter { $0.value != nil }
        return object
    }

    package static func + (left: JSONObject, right: JSONObject) -> JSONObject {
        var object = left
        object.members.merge(right.members) { $1 }
        return object
    }

    package func encode(to encoder: any Encoder) throws {
        try members.mapValues(Member.init).encode(to: encoder)
    }
}

extension [JSONObject]: JSONLine {}
