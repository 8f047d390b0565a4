import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore

/// The two ids under which a request can be found again; the hub repeats the client's or makes its own.
struct RequestTracking: Equatable {
    /// The value of `TrackingId`.
    let trackingID: String
    /// The value of `x-ms-correlation-request-id`.
    let correlationID: String

    /// Takes the ids of a request.
    ///
    /// - Parameters:
    ///   - headers: the request's headers, names in lower case.
    ///   - random: a source of 64 random bits.
    init(headers: [String: String], random: () -> UInt64) {
        trackingID = Self.usable(headers["trackingid"]) ?? GUID.make(random)
        correlationID = Self.usable(headers["x-ms-correlation-request-id"]) ?? GUID.make(random)
    }

    /// The client's id when it is short and plain; anything else is replaced rather than repeated.
    private static func usable(_ text: String?) -> String? {
        guard let text, (1...128).contains(text.utf8.count),
            text.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { return nil }
        return text
    }
}

extension RequestTracking {
    /// The content type of the service's XML, and of some answers without a body.
    static let xmlType = "application/xml; charset=utf-8"

    /// An answer that carries the request's ids.
    ///
    /// - Parameters:
    ///   - status: the status.
    ///   - headers: headers on top of the ids, `Content-Type` among them where a body is not XML.
    ///   - body: the body.
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
    /// Adds a header by its name as text; a name that HTTP does not allow is left out.
    mutating func add(_ name: String, _ value: String) {
        guard let name = HTTPField.Name(name) else { return }
        append(HTTPField(name: name, value: value))
    }
}

/// Identifiers in the form that the service uses for tracking ids and installations.
enum GUID {
    /// A random GUID, version 4 (RFC 9562), in lower case.
    ///
    /// - Parameter random: a source of 64 random bits.
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

/// Numbers as lower-case hexadecimal text of a fixed width.
enum Hexadecimal {
    private static let alphabet = Array("0123456789abcdef".utf8)

    /// The lowest digits of a number.
    ///
    /// - Parameters:
    ///   - number: the number.
    ///   - digits: how many digits, 1 to 16.
    static func text(_ number: UInt64, digits: Int) -> String {
        let bytes = (0..<digits).reversed().map { place in
            alphabet[Int(number >> UInt64(4 * place) & 15)]
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
