import CampaignCore
import FoundationEssentials
import HTTPTypes
import HummingbirdCore
import NIOCore

/// Writes one JSON object; a general encoder is many times slower, and this runs for each request.
struct JSONObject {
    private var bytes: [UInt8] = [UInt8(ascii: "{")]

    init() {
        bytes.reserveCapacity(256)
    }

    /// Adds an object of texts; nothing when it is empty.
    mutating func add(_ key: StaticString, texts: [String: String]) {
        guard !texts.isEmpty else { return }
        begin(key)
        var separator = UInt8(ascii: "{")
        for (name, text) in texts.sorted(by: { $0.key < $1.key }) {
            bytes.append(separator)
            separator = UInt8(ascii: ",")
            JSONText.append(name, to: &bytes)
            bytes.append(UInt8(ascii: ":"))
            JSONText.append(text, to: &bytes)
        }
        bytes.append(UInt8(ascii: "}"))
    }

    /// Writes null for nil.
    mutating func add(_ key: StaticString, _ text: String?) {
        begin(key)
        if let text {
            JSONText.append(text, to: &bytes)
        } else {
            bytes.append(contentsOf: "null".utf8)
        }
    }

    mutating func add(_ key: StaticString, _ flag: Bool) {
        begin(key)
        bytes.append(contentsOf: (flag ? "true" : "false").utf8)
    }

    /// Writes null for nil.
    mutating func add(_ key: StaticString, _ number: Int?) {
        begin(key)
        bytes.append(contentsOf: (number.map(String.init) ?? "null").utf8)
    }

    var text: [UInt8] { bytes + [UInt8(ascii: "}")] }

    private mutating func begin(_ key: StaticString) {
        if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
        JSONText.append(key.description, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
    }
}

extension Response {
    /// A JSON answer that must not be cached.
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

    /// An answer without a body that must not be cached.
    init(empty status: HTTPResponse.Status) {
        self.init(
            status: status, headers: [.cacheControl: "no-store", .vary: "Authorization"])
        if status == .noContent { withoutLength() }
    }

    /// Removes the length; in a 304 it would describe the client's bytes (RFC 9110, section 8.6).
    mutating func withoutLength() {
        headers[.contentLength] = nil
    }

    /// A status and `{"Message":"…"}`.
    init(_ failure: BackendFailure) {
        self.init(json: failure.body, status: failure.status, fields: failure.fields)
    }
}
