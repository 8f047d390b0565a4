/// The decoded target of a request (RFC 9112, section 3.2).
package struct RequestTarget: Equatable, Sendable {
    package enum Failure: Error, Hashable, Sendable {
        /// The target has neither origin form nor absolute form, or the path is incorrectly
        /// percent-encoded.
        case malformedPath
        /// The query is incorrectly percent-encoded.
        case malformedQuery
    }

    package let text: String
    /// The decoded segments, without an empty segment after a trailing slash.
    package let segments: [String]
    package let query: QueryParameters
    private let pathStart: String.Index
    private let queryStart: String.Index

    /// The path with its leading slash.
    package var path: String { String(text[pathStart..<queryStart]) }
    /// The query as sent, with its question mark; empty if there is none.
    package var queryText: String { String(text[queryStart...]) }

    /// Reads a target in origin form, or in absolute form as for proxies.
    package init(_ text: String, plusIsSpace: Bool) throws(Failure) {
        // Bytes are compared, as in a proxy, because a combining mark could form one character with
        // a slash.
        let (slash, question) = (UInt8(ascii: "/"), UInt8(ascii: "?"))
        var rest = text.utf8[...]
        if rest.first != slash {
            guard let scheme = text.firstRange(of: "://") else { throw .malformedPath }
            rest = rest[scheme.upperBound...]
            let hostEnd = rest.firstIndex { $0 == slash || $0 == question }
            rest = rest[(hostEnd ?? rest.endIndex)...]
        }
        pathStart = rest.startIndex
        queryStart = rest.firstIndex(of: question) ?? rest.endIndex
        guard
            let query = QueryParameters(
                Substring(rest[queryStart...].dropFirst()), plusIsSpace: plusIsSpace)
        else { throw .malformedQuery }
        rest = rest[..<queryStart]
        var segments: [String] = []
        segments.reserveCapacity(4)
        while rest.popFirst() != nil, !rest.isEmpty {
            let end = rest.firstIndex(of: slash) ?? rest.endIndex
            guard let segment = PercentEncoding.decode(Substring(rest[..<end])) else {
                throw .malformedPath
            }
            segments.append(segment)
            rest = rest[end...]
        }
        self.text = text
        self.segments = segments
        self.query = query
    }
}

/// The query of a request; parameter names are case-insensitive.
package struct QueryParameters: Equatable, Sendable {
    private struct Parameter: Equatable {
        /// The name in lower case.
        let name: String
        let value: String
    }

    private var parameters: [Parameter] = []

    package init?(_ query: Substring, plusIsSpace: Bool = false) {
        let (plus, space) = (UInt8(ascii: "+"), UInt8(ascii: " "))
        for pair in query.utf8.split(separator: UInt8(ascii: "&")) {
            let equals = pair.firstIndex(of: UInt8(ascii: "=")) ?? pair.endIndex
            let raw = pair[equals...].dropFirst()
            let spaced = plusIsSpace && raw.contains(plus)
            let text =
                spaced
                ? String(decoding: raw.map { $0 == plus ? space : $0 }, as: UTF8.self)
                : String(Substring(raw))
            guard let name = PercentEncoding.decode(Substring(pair[..<equals])),
                let value = PercentEncoding.decode(text)
            else { return nil }
            parameters.append(Parameter(name: name.lowercased(), value: value))
        }
    }

    package var count: Int { parameters.count }

    package var repeatedName: String? {
        var names: Set<String> = []
        return parameters.first { !names.insert($0.name).inserted }?.name
    }

    /// The first decoded value of a parameter; `name` is in lower case.
    package subscript(name: String) -> String? {
        parameters.first { $0.name == name }?.value
    }
}

/// Percent-encoding that rejects malformed text (RFC 3986, section 2.1).
///
/// This is not generic over strings, because other modules would call an unspecialised version for
/// each byte.
package enum PercentEncoding {
    private static let digits = Array("0123456789ABCDEF".utf8)

    /// The decoded text, which keeps `+`; nil if it is malformed or not UTF-8.
    package static func decode(_ text: Substring) -> String? {
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

    package static func decode(_ text: String) -> String? { decode(text[...]) }

    /// Encodes everything except letters, digits and `- _ . ~`.
    package static func encode(_ text: Substring) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        for byte in text.utf8 {
            if byte.isASCIIAlphanumeric || "-_.~".utf8.contains(byte) {
                bytes.append(byte)
            } else {
                bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    package static func encode(_ text: String) -> String { encode(text[...]) }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}

extension UInt8 {
    package var isASCIIAlphanumeric: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default:
            false
        }
    }
}
