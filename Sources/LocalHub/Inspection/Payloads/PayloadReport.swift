import Foundation

/// What an app would fetch, as JSON shows it.
struct PayloadReport: Encodable {
    /// The most bytes that are shown.
    static let mostBytes = 65_536

    private enum CodingKeys: String, CodingKey {
        case id, bytes, cut, body
        case mediaType = "media_type"
        case bodyBase64 = "body_base64"
    }

    let id: String
    let payload: PayloadBackend.Payload

    /// The body is text when it is UTF-8, and else in base64; either may be cut.
    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        let shown = payload.content.prefix(Self.mostBytes)
        try container.encode(id, forKey: .id)
        try container.encode(ShownText.make(payload.mediaType), forKey: .mediaType)
        try container.encode(payload.content.count, forKey: .bytes)
        try container.encode(shown.count < payload.content.count, forKey: .cut)
        if String(validating: payload.content, as: UTF8.self) != nil {
            try container.encode(String(decoding: shown, as: UTF8.self), forKey: .body)
        } else {
            try container.encode(Data(shown), forKey: .bodyBase64)
        }
    }
}
