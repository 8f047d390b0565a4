/// The target of a request, taken apart and decoded (RFC 9112, section 3.2).
package struct RequestTarget: Equatable, Sendable {
    /// Why a text is no target.
    package enum Fault: Error, Hashable, Sendable {
        /// It is neither in origin nor in absolute form, or its path is no percent-encoding.
        case malformedPath
        /// Its query is no percent-encoding.
        case malformedQuery
    }

    /// The target as sent.
    package let text: String
    /// The path as sent, with its leading slash.
    package let path: String
    /// The path's segments, decoded, without the one that only a trailing slash makes.
    package let segments: [String]
    /// The query as sent, with its question mark; empty when there is none.
    package let queryText: String
    /// The query.
    package let query: QueryParameters

    /// Takes a target apart.
    ///
    /// - Parameters:
    ///   - text: the target in origin form, or in absolute form as proxies get it.
    ///   - plusIsSpace: whether a plus sign in a parameter's value stands for a space, as forms
    ///     have it.
    package init(_ text: String, plusIsSpace: Bool) throws(Fault) {
        // By bytes, as a proxy in front reads it: a mark could join a slash in a single character.
        let (slash, question) = (UInt8(ascii: "/"), UInt8(ascii: "?"))
        var rest = text[...]
        if rest.utf8.first != slash {
            guard let scheme = rest.firstRange(of: "://") else { throw .malformedPath }
            let afterHost = rest[scheme.upperBound...].utf8.firstIndex {
                $0 == slash || $0 == question
            }
            rest = rest[(afterHost ?? rest.endIndex)...]
        }
        let queryStart = rest.utf8.firstIndex(of: question) ?? rest.endIndex
        let path = rest[..<queryStart]
        guard
            let query = QueryParameters(
                Substring(rest.utf8[queryStart...].dropFirst()), plusIsSpace: plusIsSpace)
        else { throw .malformedQuery }
        var segments: [String] = []
        let steps = path.utf8.split(separator: slash, omittingEmptySubsequences: false)
        for raw in steps.dropFirst() {
            guard let segment = PercentEncoding.decode(Substring(raw)) else { throw .malformedPath }
            segments.append(segment)
        }
        if segments.last == "" { segments.removeLast() }
        self.text = text
        self.path = String(path)
        self.segments = segments
        queryText = String(rest[queryStart...])
        self.query = query
    }
}

/// The query of a request: names compared without case, values as sent.
package struct QueryParameters: Equatable, Sendable {
    private struct Parameter: Equatable {
        /// In lower case.
        let name: String
        let value: String
    }

    private var parameters: [Parameter] = []

    /// Reads a query; nil when a name or value is no percent-encoding.
    ///
    /// - Parameters:
    ///   - query: the text after `?`.
    ///   - plusIsSpace: whether a plus sign in a value stands for a space, as forms have it.
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

    /// How many parameters there are.
    package var count: Int { parameters.count }

    /// A name that occurs twice; nil when each occurs once.
    package var repeatedName: String? {
        var names: Set<String> = []
        return parameters.first { !names.insert($0.name).inserted }?.name
    }

    /// The decoded value of a parameter; the first, if it occurs twice.
    ///
    /// - Parameter name: the parameter's name in lower case.
    package subscript(name: String) -> String? {
        parameters.first { $0.name == name }?.value
    }
}

/// Percent-encoding that refuses what is malformed instead of guessing (RFC 3986, section 2.1).
///
/// It is not generic over texts: other modules would call it unspecialised, once a byte.
package enum PercentEncoding {
    private static let digits = Array("0123456789ABCDEF".utf8)

    /// The decoded text; `+` stays `+`.
    ///
    /// - Returns: nil when a `%` is not followed by two hexadecimal digits, or the bytes are not
    ///   UTF-8.
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

    /// The decoded text; nil when it is malformed.
    package static func decode(_ text: String) -> String? { decode(text[...]) }

    /// The text with everything encoded but letters, digits and `- _ . ~`.
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

    /// The text with everything encoded but letters, digits and `- _ . ~`.
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
    /// Whether it is a letter of English or a digit.
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
