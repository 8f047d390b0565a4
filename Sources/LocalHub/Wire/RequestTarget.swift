/// The target of a request, taken apart.
struct RequestTarget: Equatable {
    /// The target as sent.
    let text: String
    /// The path as sent, with its leading slash.
    let path: String
    /// The path's segments, decoded, without those that only a trailing slash makes.
    let segments: [String]
    /// The query as sent, with its question mark; empty when there is none.
    let queryText: String
    /// The query.
    let query: QueryParameters

    /// Takes a target apart.
    ///
    /// - Parameter text: the target in origin form, or in absolute form as proxies get it.
    /// - Throws: a 400 when it has another form, is no percent-encoding, or hides a slash or a control
    ///   character in an encoded segment.
    init(_ text: String) throws(HubFailure) {
        var rest = text[...]
        if rest.first != "/" {
            guard let scheme = rest.firstRange(of: "://") else { throw .malformedTarget }
            let afterHost = rest[scheme.upperBound...].firstIndex { $0 == "/" || $0 == "?" }
            rest = rest[(afterHost ?? rest.endIndex)...]
        }
        let queryStart = rest.firstIndex(of: "?") ?? rest.endIndex
        let path = rest[..<queryStart]
        guard let query = QueryParameters(rest[queryStart...].dropFirst()) else {
            throw .malformedTarget
        }
        var segments: [String] = []
        for raw in path.split(separator: "/", omittingEmptySubsequences: false).dropFirst() {
            guard let segment = PercentEncoding.decode(raw),
                !segment.contains("/"), !segment.unicodeScalars.contains(where: Self.isControl)
            else { throw .malformedTarget }
            segments.append(segment)
        }
        if segments.last == "" { segments.removeLast() }
        self.text = text
        self.path = String(path)
        queryText = String(rest[queryStart...])
        self.segments = segments
        self.query = query
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.generalCategory == .control
    }
}

/// The query of a request: names compared without case, values as sent.
struct QueryParameters: Equatable {
    private let values: [String: String]

    /// Reads a query; nil when a name or value is no percent-encoding.
    ///
    /// Of a name that stands twice the first counts. Names may be percent-encoded.
    ///
    /// - Parameter query: the text after `?`.
    init?(_ query: Substring) {
        var values: [String: String] = [:]
        for pair in query.split(separator: "&") {
            let equals = pair.firstIndex(of: "=") ?? pair.endIndex
            guard let name = PercentEncoding.decode(pair[..<equals]),
                // .NET writes the spaces of a filter as plus signs (reference, section 6.5).
                let value = PercentEncoding.decode(
                    pair[equals...].dropFirst().replacing("+", with: " "))
            else { return nil }
            values[name.lowercased()] = values[name.lowercased()] ?? value
        }
        self.values = values
    }

    /// The decoded value of a parameter.
    ///
    /// - Parameter name: the parameter's name in lower case.
    subscript(name: String) -> String? {
        values[name]
    }

    /// Whether a flag is set: it stands there bare, empty, or with anything but `false`.
    ///
    /// - Parameter name: the flag's name in lower case.
    /// - Returns: whether it is set.
    func hasFlag(_ name: String) -> Bool {
        values[name].map { $0.lowercased() != "false" } ?? false
    }
}

/// Percent-decoding that refuses what is malformed instead of guessing.
enum PercentEncoding {
    /// The decoded text.
    ///
    /// - Parameter text: a percent-encoded text; `+` stays `+`.
    /// - Returns: nil when a `%` is not followed by two hexadecimal digits, or the bytes are not UTF-8.
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

    /// The text with everything encoded but letters, digits and `- _ . ~`.
    static func encode(_ text: some StringProtocol) -> String {
        var result = ""
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
                UInt8(ascii: "."), UInt8(ascii: "~"):
                result.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                result += "%" + Hexadecimal.text(UInt64(byte), digits: 2).uppercased()
            }
        }
        return result
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
