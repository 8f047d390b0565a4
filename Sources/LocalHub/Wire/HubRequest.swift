import HTTPTypes

/// A whole request as the hub looks at it; knows no socket.
struct HubRequest {
    /// The method.
    let method: HTTPRequest.Method
    /// Path and query.
    let target: RequestTarget
    /// The host by which the client reached the hub.
    let authority: RequestAuthority
    /// The scheme by which the client reached the hub.
    let scheme: String
    /// The headers, names in lower case; values of one name are joined by `, `.
    let headers: [String: String]
    /// The body.
    let body: [UInt8]
    /// Whether it came over the loopback interface.
    let isPeerLocal: Bool

    /// Takes a request apart.
    ///
    /// - Parameters:
    ///   - head: method, target, host and scheme.
    ///   - headers: the headers, names in lower case.
    ///   - body: the whole body.
    ///   - isPeerLocal: whether it came over the loopback interface.
    /// - Throws: a 400 when the target or the host is malformed.
    init(
        head: HTTPRequest, headers: [String: String], body: [UInt8], isPeerLocal: Bool
    ) throws(HubFailure) {
        // A second Host header is left among the others.
        guard let authority = RequestAuthority(head.authority), headers["host"] == nil else {
            throw .malformedHost
        }
        method = head.method
        target = try RequestTarget(head.path ?? "")
        self.authority = authority
        scheme = head.scheme ?? "http"
        self.headers = headers
        self.body = body
        self.isPeerLocal = isPeerLocal
    }

    /// The headers of a request by name in lower case.
    static func headers(of fields: HTTPFields) -> [String: String] {
        Dictionary(fields.map { ($0.name.canonicalName, $0.value) }) { "\($0), \($1)" }
    }
}
