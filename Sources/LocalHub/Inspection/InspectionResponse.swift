import Foundation
import Hummingbird
import HummingbirdCore
import NIOCore

/// The form of the answers below `/.hubsend`.
enum InspectionResponse {
    /// A value as JSON that people can read too.
    ///
    /// - Parameter value: the value; times become RFC 3339 in UTC.
    /// - Returns: the response.
    /// - Throws: a 500 when the value cannot be written.
    static func json(_ value: some Encodable) throws(HubFailure) -> Response {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let json: Data
        do {
            json = try encoder.encode(value) + Data("\n".utf8)
        } catch {
            throw HubFailure(
                status: .internalServerError, detail: "The answer could not be written as JSON.")
        }
        return Response(
            status: .ok, headers: InspectionFields.make("application/json; charset=utf-8"),
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: json)))
    }
}
