import HTTPServing
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

/// Recorded: addresses in answers repeat the request's path and query as the client spelled them, flags and all.
extension HubRequest {
    /// The absolute address of the request, as the client spelled it.
    var address: String {
        origin + target.path + target.queryText
    }

    /// The absolute address of something below the request's, as the client spelled that, with its query.
    ///
    /// - Parameters:
    ///   - id: the last segment, decoded.
    ///   - depth: how many segments of the request's path stand before it; nil: all of them.
    func address(below id: String, depth: Int? = nil) -> String {
        let segments = target.path.split(separator: "/")
        let path =
            (segments.prefix(depth ?? segments.count).map(String.init)
            + [PercentEncoding.encode(id)]).joined(separator: "/")
        return origin + "/" + path + target.queryText
    }

    /// The absolute address of something, as the client reached the hub, with the request's api-version.
    ///
    /// - Parameter path: the decoded segments.
    func address(_ path: some Sequence<String>) -> String {
        let version = target.query["api-version"].map {
            "?api-version=\(PercentEncoding.encode($0))"
        }
        let segments = path.map(PercentEncoding.encode).joined(separator: "/")
        return "\(origin)/\(segments)\(version ?? "")"
    }

    /// The absolute address of a hub, without a query.
    func address(ofHub name: String) -> String {
        "\(origin)/\(PercentEncoding.encode(name))"
    }

    private var origin: String { "\(scheme)://\(authority.text)" }
}

/// The host, and perhaps port, by which a client reached the hub.
struct RequestAuthority: Equatable {
    /// Host and port exactly as sent; safe to repeat in a header.
    let text: String
    /// The host in lower case, without port; an IPv6 address keeps its brackets.
    let host: String

    /// Reads a `Host` header; nil when it is empty, longer than 255 characters or has a character that no
    /// host has.
    ///
    /// - Parameter text: the header's value.
    init?(_ text: String?) {
        guard let text, (1...255).contains(text.utf8.count), text.utf8.allSatisfy(Self.isAllowed)
        else { return nil }
        let host = Self.withoutPort(text[...])
        guard !host.isEmpty else { return nil }
        self.text = text
        self.host = host.lowercased()
    }

    /// A host without its port.
    static func withoutPort(_ text: Substring) -> Substring {
        let searchStart = text.lastIndex(of: "]") ?? text.startIndex
        guard let colon = text[searchStart...].firstIndex(of: ":") else { return text }
        return text[..<colon]
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        TagGrammar.isTagByte(byte) && byte != UInt8(ascii: "@") && byte != UInt8(ascii: "#")
            || byte == UInt8(ascii: "[") || byte == UInt8(ascii: "]")
    }
}

extension RequestTarget {
    /// Takes the target of a request to the hub apart.
    ///
    /// - Parameter text: the target in origin form, or in absolute form as proxies get it.
    /// - Throws: a 400 when it has another form, is no percent-encoding, or hides a slash or a control
    ///   character in an encoded segment.
    init(_ text: String) throws(HubFailure) {
        do throws(RequestTarget.Fault) {
            // .NET writes the spaces of a filter as plus signs (reference, section 6.5).
            try self.init(text, plusIsSpace: true)
        } catch {
            throw .malformedTarget
        }
        guard
            segments.allSatisfy({
                !$0.contains("/") && !$0.unicodeScalars.contains(where: Self.isControl)
            })
        else { throw .malformedTarget }
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.generalCategory == .control
    }
}
