import Foundation
import HTTPServing
import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore

enum InspectionResponse {
    /// Returns a value as indented JSON, with RFC 3339 times in UTC.
    static func json(_ value: some Encodable) throws(HubFailure) -> Response {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let json: Data
        do {
            json = try encoder.encode(value) + Data("\n".utf8)
        } catch {
            throw HubFailure(
                status: .internalServerError, detail: "The response could not be encoded as JSON.")
        }
        return Response(
            status: .ok, headers: InspectionFields.make("application/json; charset=utf-8"),
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: json)))
    }
}

/// A member of a response that is written as null if it has no value.
@propertyWrapper
struct NullWhenNil<Value: Encodable>: Encodable {
    var wrappedValue: Value?

    /// This initialiser is explicit, so that memberwise initialisers accept the plain value.
    init(wrappedValue: Value?) {
        self.wrappedValue = wrappedValue
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(wrappedValue)
    }
}

extension NullWhenNil: Equatable where Value: Equatable {}
extension NullWhenNil: Sendable where Value: Sendable {}

/// Bytes in a response, as text if they are UTF-8, otherwise as Base64.
struct ShownBody: Encodable {
    private enum CodingKeys: String, CodingKey {
        case body
        case bodyBase64 = "body_base64"
    }

    private let body: String?
    private let bodyBase64: Data?

    init(_ bytes: [UInt8]) {
        body = String(validating: bytes, as: UTF8.self)
        bodyBase64 = body == nil ? Data(bytes) : nil
    }
}

/// The headers of every response of the page and below `/.hubsend`; they contain no CORS headers,
/// because no other origin may read these responses.
enum InspectionFields {
    private static let always: KeyValuePairs = [
        "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff",
        "Cross-Origin-Resource-Policy": "same-origin", "Referrer-Policy": "no-referrer",
    ]

    static func make(_ contentType: String) -> HTTPFields {
        var fields: HTTPFields = [:]
        fields.add("Content-Type", contentType)
        for (name, value) in always { fields.add(name, value) }
        return fields
    }

    /// The response with these headers, which replace any with the same names.
    static func sealed(_ response: Response) -> Response {
        var response = response
        for (name, value) in always {
            guard let name = HTTPField.Name(name) else { continue }
            response.headers[name] = value
        }
        return response
    }
}

/// The format of an error, depending on the path.
enum RefusalForm {
    /// The XML document of the service, for clients of the hub.
    case document
    /// A JSON object, for paths below `/.hubsend`.
    case json
    /// A line of text, for the inbox page.
    case text

    /// Chooses the format by the path of the request, even if the path is malformed; a request with
    /// a token comes from a client of the hub, even if its path is that of the page.
    init(of target: String?, isSigned: Bool) {
        let target = target ?? ""
        do {
            let segments = try RequestTarget(target).segments
            if segments.isEmpty {
                self = isSigned ? .document : .text
            } else {
                self = InspectionPath.contains(segments) ? .json : .document
            }
        } catch {
            let path = target.prefix { $0 != "?" }.split(separator: "/")
            self = InspectionPath.contains(path) ? .json : .document
        }
    }
}
