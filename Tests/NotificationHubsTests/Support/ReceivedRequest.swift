import NIOHTTP1

/// One request as it came over the wire.
struct ReceivedRequest: Sendable {
    var method: String
    var uri: String
    var headers: HTTPHeaders
    var body: [UInt8] = []

    /// The only value of a header; nil when there is none or more than one.
    subscript(_ name: String) -> String? {
        let values = headers[name]
        return values.count == 1 ? values[0] : nil
    }
}
