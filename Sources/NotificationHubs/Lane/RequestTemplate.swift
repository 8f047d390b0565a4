import CampaignCore
import NIOCore
import NIOHTTP1

/// The part that all requests of a page have in common, written once, byte for byte as
/// ``SendEncoder`` writes it.
struct RequestTemplate: Sendable {
    private let beginning: [UInt8]

    /// Creates a template; nil if a header contains a character that HTTP forbids.
    init?(target: String, headers: HTTPHeaders) {
        var text = "POST \(target) HTTP/1.1\r\n"
        for (name, value) in headers {
            guard HeaderField.isSendable(name: name, value: value) else { return nil }
            text += "\(name): \(value)\r\n"
        }
        text += "ServiceBusNotification-Tags: "
        beginning = Array(text.utf8)
    }

    /// The header that contains a token, and the beginning of the length header.
    static func authorization(_ token: SharedAccessSignature) -> [UInt8] {
        Array("\r\nAuthorization: \(token.authorization)\r\nContent-Length: ".utf8)
    }

    /// Writes one request; if the audience is nil, the usernames of the push are used.
    func write(
        _ push: borrowing Push, audience: String? = nil, _ trackingID: TrackingID,
        authorization: [UInt8], to buffer: inout ByteBuffer
    ) {
        buffer.writeBytes(beginning)
        if let audience { buffer.writeString(audience) }
        var isFirst = true
        for username in push.usernames {
            if !isFirst { buffer.writeStaticString("||") }
            isFirst = false
            buffer.writeStaticString("username:")
            buffer.writeString(username.text)
        }
        buffer.writeStaticString("\r\nTrackingId: ")
        trackingID.write(to: &buffer)
        buffer.writeBytes(authorization)
        buffer.writeString(String(push.body.count))
        buffer.writeStaticString("\r\n\r\n")
        buffer.writeBytes(push.body)
    }
}
