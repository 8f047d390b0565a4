import Foundation

@testable import LocalHub

enum HubParsers {
    static func atom(_ bytes: [UInt8]) {
        _ = unlessRefused {
            try RegistrationDocument(bytes).registration(id: "1", version: 1, at: Date())
        }
        _ = unlessRefused { try RegistrationDocument(row: bytes) }
        _ = unlessRefused { try HubDescriptionDocument(bytes) }
    }

    static func filter(_ text: String) {
        _ = unlessRefused { try ChannelFilter(text).devices }
    }

    static func installation(_ bytes: [UInt8]) {
        let document = unlessRefused { try InstallationDocument(body: bytes) }
        _ = document.map { document in unlessRefused { try document.installation(id: "1") } }
        _ = unlessRefused {
            try InstallationPatch(body: bytes).applied(to: InstallationDocument(members: [:]))
        }
    }

    static func json(_ bytes: [UInt8]) {
        guard let value = JSONValue.read(bytes) else { return }
        // The two can differ: For a whole number with more than 19 digits, Foundation's value
        // differs slightly from its double.
        precondition(JSONValue.read(value.json.utf8) != nil, "What was read is written as JSON.")
    }

    /// The first line is the type; the rest is the body.
    static func multipart(_ bytes: [UInt8]) {
        let type = bytes.prefix { $0 != UInt8(ascii: "\n") }
        _ = parts(
            of: Array(bytes.dropFirst(type.count + 1)), type: String(decoding: type, as: UTF8.self))
    }

    /// nil if they are refused.
    static func parts(of body: [UInt8], type: String) -> [(name: String?, body: [UInt8])]? {
        unlessRefused {
            try MultipartReader.parts(of: body, contentType: type).map { ($0.name, Array($0.body)) }
        }
    }

    static func tags(_ text: String) {
        _ = isAddressed([], by: text)
    }

    /// nil if it is not an expression.
    static func isAddressed(_ tags: Set<String>, by text: String) -> Bool? {
        unlessRefused { try TagExpressionParser.parse(text).holds { tags.contains($0.text) } }
    }

    static func template(_ text: String) {
        _ = unlessRefused {
            try TemplateBody(text).rendered(with: ["name": "\"<>'\\\u{1}&", "number": "40"])
        }
    }

    static func token(_ text: String) {
        guard let token = unlessRefused({ try SharedAccessToken(header: text) }) else { return }
        _ = token.signedBytes
        _ = TokenAudience(encoded: token.rawAudience)?
            .covers(host: "localhost", path: "/hub/messages/%41")
    }

    /// nil if it is not a token.
    static func parts(ofToken text: String) -> [String]? {
        unlessRefused { try SharedAccessToken(header: text) }.map {
            [
                $0.rawAudience, String($0.expiry), $0.signature.base64EncodedString(), $0.ruleName,
            ]
        }
    }
}
