import HTTPTypes

/// How a request came to the hub.
enum HTTPTransport: Sendable {
    /// HTTP/1.1 without TLS.
    case http1
    /// HTTP/1.1 over TLS.
    case https1
    /// A stream of an HTTP/2 connection over TLS.
    case http2

    /// A request's head as the hub is to see it.
    ///
    /// Over TLS the scheme is what it is, whatever an HTTP/2 client says, and HTTP/1.1 cannot say.
    /// Over HTTP/2 a `Host` header stands in for a missing `:authority`, and says nothing new
    /// beside an equal one (RFC 9113, 8.3.1).
    ///
    /// - Parameter head: the head as it came.
    /// - Returns: the head.
    func normalized(_ head: HTTPRequest) -> HTTPRequest {
        guard self != .http1 else { return head }
        var head = head
        head.scheme = "https"
        guard self == .http2, let host = HTTPField.Name("Host") else { return head }
        let hosts = head.headerFields[values: host]
        if hosts.count == 1, head.authority == nil || head.authority == hosts[0] {
            head.authority = hosts[0]
            head.headerFields[host] = nil
        }
        return head
    }
}
