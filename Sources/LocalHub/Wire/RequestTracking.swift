import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore

/// The two ids that identify a request; the hub repeats the client's ids or generates new ones.
struct RequestTracking: Equatable {
    /// The `TrackingId` header.
    let trackingID: String
    /// The `x-ms-correlation-request-id` header.
    let correlationID: String

    init(headers: [String: String], random: () -> UInt64) {
        trackingID = Self.usable(headers["trackingid"]) ?? GUID.make(random)
        correlationID = Self.usable(headers["x-ms-correlation-request-id"]) ?? GUID.make(random)
    }

    /// The client's id if it is short and plain, otherwise a new id.
    private static func usable(_ text: String?) -> String? {
        guard let text, (1...128).contains(text.utf8.count),
            text.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { return nil }
        return text
    }
}

extension RequestTracking {
    /// The content type of the service's XML and of some empty responses.
    static let xmlType = "application/xml; charset=utf-8"

    /// A response with the ids of the request; if the body is not XML, `headers` must contain its
    /// `Content-Type`.
    func response(
        _ status: HTTPResponse.Status, headers: KeyValuePairs<String, String> = [:],
        body: String = ""
    ) -> Response {
        var fields: HTTPFields = [:]
        if !body.isEmpty, !headers.contains(where: { $0.key == "Content-Type" }) {
            fields.add("Content-Type", Self.xmlType)
        }
        for (name, value) in headers { fields.add(name, value) }
        fields.add("TrackingId", trackingID)
        fields.add("x-ms-correlation-request-id", correlationID)
        return Response(
            status: status, headers: fields,
            body: body.isEmpty ? ResponseBody() : ResponseBody(byteBuffer: ByteBuffer(string: body))
        )
    }
}

extension HTTPFields {
    /// Adds a header; does nothing if HTTP does not allow the name.
    mutating func add(_ name: String, _ value: String) {
        guard let name = HTTPField.Name(name) else { return }
        append(HTTPField(name: name, value: value))
    }
}

enum GUID {
    /// A random GUID, version 4 (RFC 9562), in lower case.
    static func make(_ random: () -> UInt64) -> String {
        let high = random() & 0xFFFF_FFFF_FFFF_0FFF | 0x4000
        let low = random() & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
        let first = Hexadecimal.text(high, digits: 16)
        let second = Hexadecimal.text(low, digits: 16)
        return [
            first.prefix(8), first.dropFirst(8).prefix(4), first.dropFirst(12),
            second.prefix(4), second.dropFirst(4),
        ].joined(separator: "-")
    }
}

enum Hexadecimal {
    private static let alphabet = Array("0123456789abcdef".utf8)

    /// The lowest 1 to 16 digits, in lower case.
    static func text(_ number: UInt64, digits: Int) -> String {
        let bytes = (0..<digits).reversed().map { place in
            alphabet[Int(number >> UInt64(4 * place) & 15)]
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
