import HTTPTypes
import HummingbirdCore
import NIOCore

extension Response {
    /// An answer in JSON, which nobody may keep.
    ///
    /// - Parameters:
    ///   - json: the whole body.
    ///   - status: the answer's status.
    ///   - fields: further header fields.
    init(json: [UInt8], status: HTTPResponse.Status = .ok, fields: HTTPFields = [:]) {
        var fields = fields
        fields[.contentType] = "application/json; charset=utf-8"
        fields[.cacheControl] = "no-store"
        fields[.xContentTypeOptions] = "nosniff"
        fields[.vary] = "Authorization"
        self.init(
            status: status, headers: fields, body: ResponseBody(byteBuffer: ByteBuffer(bytes: json))
        )
    }

    /// An answer without a body, which nobody may keep.
    init(empty status: HTTPResponse.Status) {
        self.init(
            status: status, headers: [.cacheControl: "no-store", .vary: "Authorization"])
        if status == .noContent { withoutLength() }
    }

    /// Takes back the length of a body that there can be none of: a 304 would speak of the bytes
    /// that the client has (RFC 9110, section 8.6).
    mutating func withoutLength() {
        headers[.contentLength] = nil
    }

    /// What a failure tells its client: a status and `{"Message":"…"}`.
    init(_ failure: BackendFailure) {
        var body = JSONObject()
        body.add("Message", failure.message)
        self.init(json: body.text, status: failure.status, fields: failure.fields)
    }
}
