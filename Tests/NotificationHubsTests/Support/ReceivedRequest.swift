import NIOHTTP1

struct ReceivedRequest: Sendable {
    var method: String
    var uri: String
    var headers: HTTPHeaders
    var body: [UInt8] = []

    /// The only value of a header; nil if it is missing or repeated.
    subscript(_ name: String) -> String? {
        let values = headers[name]
        return values.count == 1 ? values[0] : nil
    }
}
