import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore

extension RequestTracking {
    /// The content type of the service's XML, and of some answers without a body.
    static let xmlType = "application/xml; charset=utf-8"

    /// An answer that carries the request's ids.
    ///
    /// - Parameters:
    ///   - status: the status.
    ///   - headers: headers on top of the ids, `Content-Type` among them where a body is not XML.
    ///   - body: the body.
    /// - Returns: the response.
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
