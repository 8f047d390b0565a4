import CampaignCore
import FoundationEssentials
import HTTPTypes
import HummingbirdCore
import NIOCore

/// Writes one JSON object; a general encoder is many times slower, and this runs for every request.
///
/// The type cannot be copied, so its bytes are never copied either.
struct JSONWriter: ~Copyable {
    private var bytes: [UInt8]

    init() {
        bytes = []
        bytes.reserveCapacity(256)
        bytes.append(UInt8(ascii: "{"))
    }

    /// Appends to an existing buffer; ``text`` then also contains what the buffer already
    /// contained.
    init(after buffer: inout [UInt8]) {
        bytes = exchange(&buffer, with: [])
        bytes.append(UInt8(ascii: "{"))
    }

    mutating func add(_ key: TextKey, _ text: String) {
        if bytes.last != UInt8(ascii: "{") { bytes.append(UInt8(ascii: ",")) }
        JSONText.append(key.rawValue, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        JSONText.append(text, to: &bytes)
    }

    /// Adds an object of strings, unless it is empty.
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
            bytes += "null".utf8
        }
    }

    /// Writes a time in UTC with milliseconds.
    mutating func add(_ key: StaticString, precise time: Date) {
        begin(key)
        bytes.append(UInt8(ascii: "\""))
        UTCTime.append(precise: time, to: &bytes)
        bytes.append(UInt8(ascii: "\""))
    }

    mutating func add(_ key: StaticString, _ flag: Bool) {
        begin(key)
        bytes += (flag ? "true" : "false").utf8
    }

    /// Writes null for nil.
    mutating func add(_ key: StaticString, _ number: Int?) {
        begin(key)
        bytes += (number.map(String.init) ?? "null").utf8
    }

    var text: [UInt8] {
        consuming get {
            bytes.append(UInt8(ascii: "}"))
            return bytes
        }
    }

    private mutating func begin(_ key: StaticString) {
        if bytes.last != UInt8(ascii: "{") { bytes.append(UInt8(ascii: ",")) }
        bytes.append(UInt8(ascii: "\""))
        key.withUTF8Buffer { unsafe bytes.append(contentsOf: $0) }
        bytes += "\":".utf8
    }
}

extension Response {
    /// A JSON response that must not be cached.
    init(json: [UInt8], status: HTTPResponse.Status = .ok, fields: HTTPFields = [:]) {
        var all = Self.jsonFields
        all.append(contentsOf: fields)
        self.init(
            status: status, headers: all, body: ResponseBody(byteBuffer: ByteBuffer(bytes: json)))
    }

    private static let jsonFields: HTTPFields = [
        .contentType: "application/json; charset=utf-8", .cacheControl: "no-store",
        .xContentTypeOptions: "nosniff", .vary: "Authorization",
    ]

    /// A response without a body that must not be cached.
    init(empty status: HTTPResponse.Status) {
        self.init(
            status: status, headers: [.cacheControl: "no-store", .vary: "Authorization"])
        if status == .noContent { withoutLength() }
    }

    /// Removes the length, which in a 304 would describe the client's bytes (RFC 9110, section
    /// 8.6).
    mutating func withoutLength() {
        headers[.contentLength] = nil
    }

    /// A response with a status and `{"Message":"…"}`.
    init(_ failure: BackendFailure) {
        self.init(json: failure.body, status: failure.status, fields: failure.fields)
    }
}
