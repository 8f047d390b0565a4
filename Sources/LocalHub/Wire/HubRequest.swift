import HTTPServing
import HTTPTypes

/// A complete request, independent of a socket.
struct HubRequest {
    let method: HTTPRequest.Method
    let target: RequestTarget
    let authority: RequestAuthority
    let scheme: String
    /// The headers; names are in lower case, and values of the same name are joined by `, `.
    let headers: [String: String]
    let body: [UInt8]
    let isPeerLocal: Bool

    /// Reads a request; throws a 400 if the target or host is malformed.
    init(
        head: HTTPRequest, headers: [String: String], body: [UInt8], isPeerLocal: Bool
    ) throws(HubFailure) {
        // A second `Host` header would remain among the other headers.
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

    static func headers(of fields: HTTPFields) -> [String: String] {
        Dictionary(fields.map { ($0.name.canonicalName, $0.value) }) { "\($0), \($1)" }
    }
}

/// In recordings of the service, addresses in responses repeat the path and query of the request in
/// the client's spelling.
extension HubRequest {
    var address: String { origin + target.path + target.queryText }

    /// The address of an id below the first `depth` segments of the request's path (all if nil),
    /// with its query.
    func address(below id: String, depth: Int? = nil) -> String {
        let segments = target.path.split(separator: "/")
        let path =
            (segments.prefix(depth ?? segments.count).map(String.init)
            + [PercentEncoding.encode(id)]).joined(separator: "/")
        return origin + "/" + path + target.queryText
    }

    /// The address of a path, with the request's host and api-version.
    func address(_ path: some Sequence<String>) -> String {
        let version = target.query["api-version"].map {
            "?api-version=\(PercentEncoding.encode($0))"
        }
        let segments = path.map(PercentEncoding.encode).joined(separator: "/")
        return "\(origin)/\(segments)\(version ?? "")"
    }

    func address(ofHub name: String) -> String {
        "\(origin)/\(PercentEncoding.encode(name))"
    }

    private var origin: String { "\(scheme)://\(authority.text)" }
}

/// The host and optional port that a client used to reach the hub.
struct RequestAuthority: Equatable {
    /// The host and port as sent; they are safe to repeat in a header.
    let text: String
    /// The host in lower case; an IPv6 address is in brackets.
    let host: String

    /// Reads a `Host` header; nil if it is empty, longer than 255 characters or has an invalid
    /// character.
    init?(_ text: String?) {
        guard let text, (1...255).contains(text.utf8.count), text.utf8.allSatisfy(Self.isAllowed)
        else { return nil }
        let host = Self.withoutPort(text[...])
        guard !host.isEmpty else { return nil }
        self.text = text
        self.host = host.lowercased()
    }

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
    /// Reads a target in origin form, or in the absolute form for proxies.
    ///
    /// Throws a 400 for any other form, invalid percent-encoding, or an encoded slash or control
    /// character.
    init(_ text: String) throws(HubFailure) {
        do throws(RequestTarget.Failure) {
            // The .NET SDK encodes spaces in a filter as plus signs.
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
