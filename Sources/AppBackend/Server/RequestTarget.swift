import HTTPTypes

/// The target of a request, taken apart and decoded.
struct RequestTarget: Equatable {
    /// The most bytes of a target.
    static let longest = 8_192

    /// The path's segments, without the one that only a trailing slash makes.
    let segments: [String]
    let query: QueryParameters

    /// Takes a target apart.
    ///
    /// - Parameter text: in origin form, or in absolute form as proxies get it (RFC 9112, section
    ///   3.2).
    /// - Throws: when it is too long, has another form, or is no percent-encoding.
    init(_ text: String) throws(BackendFailure) {
        guard text.utf8.count <= Self.longest else { throw .targetTooLong(limit: Self.longest) }
        var rest = text[...]
        if rest.first != "/" {
            guard let scheme = rest.firstRange(of: "://") else { throw Self.malformed }
            let end = rest[scheme.upperBound...].firstIndex { $0 == "/" || $0 == "?" }
            rest = rest[(end ?? rest.endIndex)...]
        }
        let queryStart = rest.firstIndex(of: "?") ?? rest.endIndex
        query = try QueryParameters(rest[queryStart...].dropFirst())
        var segments: [String] = []
        for raw in rest[..<queryStart].split(separator: "/", omittingEmptySubsequences: false)
            .dropFirst()
        {
            guard let segment = PercentEncoding.decode(raw) else { throw Self.malformed }
            segments.append(segment)
        }
        if segments.last == "" { segments.removeLast() }
        self.segments = segments
    }

    private static let malformed = BackendFailure.malformed(
        reason: "The address is malformed; write a path that begins with /, percent-encoded.")
}

/// The query of a request; names are compared without case, as the tutorials' backend does.
struct QueryParameters: Equatable {
    /// The most parameters; no request has half as many.
    static let most = 16

    private var values: [(name: String, value: String)] = []

    /// Reads a query.
    ///
    /// - Parameter query: the text after `?`.
    /// - Throws: when there are too many, a name or value is no percent-encoding, or a name stands
    ///   there twice.
    init(_ query: Substring) throws(BackendFailure) {
        let pairs = query.split(separator: "&", maxSplits: Self.most)
        guard pairs.count <= Self.most else {
            throw .malformed(
                reason: "The address's query has more than \(Self.most) parameters.")
        }
        for pair in pairs {
            let equals = pair.firstIndex(of: "=") ?? pair.endIndex
            guard let name = PercentEncoding.decode(pair[..<equals])?.lowercased(),
                let value = PercentEncoding.decode(pair[equals...].dropFirst())
            else {
                throw .malformed(reason: "The address's query is malformed; percent-encode it.")
            }
            guard self[name] == nil else {
                throw .malformed(
                    reason: "The parameter \(ClientText.quoted(name)) stands there twice.")
            }
            values.append((name, value))
        }
    }

    /// The decoded value of a parameter.
    ///
    /// - Parameter name: the parameter's name in lower case.
    subscript(name: String) -> String? {
        values.first { $0.name == name }?.value
    }

    static func == (left: QueryParameters, right: QueryParameters) -> Bool {
        left.values.elementsEqual(right.values, by: ==)
    }
}

/// Percent-decoding that refuses what is malformed instead of guessing (RFC 3986, section 2.1).
private enum PercentEncoding {
    /// The decoded text; `+` stays `+`.
    ///
    /// - Returns: nil when a `%` is not followed by two hexadecimal digits, or the bytes are not
    ///   UTF-8.
    static func decode(_ text: some StringProtocol) -> String? {
        guard text.utf8.contains(UInt8(ascii: "%")) else { return String(text) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        var rest = text.utf8.makeIterator()
        while let byte = rest.next() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.next().flatMap(digit), let low = rest.next().flatMap(digit) else {
                return nil
            }
            bytes.append(high << 4 | low)
        }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}

/// The host that a request names: exactly one, or nobody could tell whom it was meant for (RFC
/// 9112, section 3.2).
enum RequestHost {
    private static let field = HTTPField.Name("Host")

    /// Checks that a request names one host.
    ///
    /// - Parameter head: the request; its first `Host` is its authority, and others are left among
    ///   the fields.
    /// - Throws: ``BackendFailure/malformed(reason:)`` when there is none, more than one, or one
    ///   that no host has.
    static func check(_ head: HTTPRequest) throws(BackendFailure) {
        let hasMore = field.map { head.headerFields.contains($0) } ?? false
        guard let host = head.authority, !hasMore,
            WebOrigin(scheme: .http, authority: host[...]) != nil
        else {
            throw .malformed(
                reason: "The Host field is missing, doubled or malformed; send exactly one, "
                    + "with the host and, where there is one, the port.")
        }
    }
}
