import HTTPServing

/// Reads a `Forwarded` field (RFC 7239, section 4; RFC 9110, section 5.6).
///
/// Semicolons separate the `name=value` pairs of an element, commas separate elements.
struct FieldScanner {
    private let bytes: [UInt8]
    private var position = 0

    init(_ value: String) {
        bytes = Array(value.utf8)
    }

    /// The pairs of the next element, names in lower case; nil at the end.
    ///
    /// Skips empty elements. A name that stands twice is malformed.
    mutating func nextElement() throws(ForwardedFault) -> [String: String]? {
        repeat { skipSpaces() } while skip(UInt8(ascii: ","))
        guard position < bytes.count else { return nil }
        var pairs: [String: String] = [:]
        repeat {
            skipSpaces()
            // An empty pair is allowed: `for=192.0.2.43;`.
            guard let byte = next, byte != UInt8(ascii: ";"), byte != UInt8(ascii: ",") else {
                continue
            }
            let name = try token()
            guard skip(UInt8(ascii: "=")) else { throw .malformed }
            let value = next == UInt8(ascii: "\"") ? try quotedString() : try token()
            guard pairs.updateValue(value, forKey: name.lowercased()) == nil else {
                throw .malformed
            }
            skipSpaces()
        } while skip(UInt8(ascii: ";"))
        guard next == nil || next == UInt8(ascii: ",") else { throw .malformed }
        return pairs
    }

    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func skip(_ byte: UInt8) -> Bool {
        guard next == byte else { return false }
        position += 1
        return true
    }

    private mutating func skipSpaces() {
        while next == UInt8(ascii: " ") || next == UInt8(ascii: "\t") { position += 1 }
    }

    private mutating func token() throws(ForwardedFault) -> String {
        let rest = bytes[position...]
        let token = rest.prefix { $0.isASCIIAlphanumeric || "!#$%&'*+-.^_`|~".utf8.contains($0) }
        guard !token.isEmpty else { throw .malformed }
        position = token.endIndex
        return String(decoding: token, as: UTF8.self)
    }

    /// Reads a quoted text of visible ASCII; addresses and hosts have no other characters.
    private mutating func quotedString() throws(ForwardedFault) -> String {
        position += 1
        var text: [UInt8] = []
        while let byte = next {
            position += 1
            switch byte {
            case UInt8(ascii: "\""):
                return String(decoding: text, as: UTF8.self)
            case UInt8(ascii: "\\"):
                guard let escaped = next, 0x20...0x7E ~= escaped else { throw .malformed }
                position += 1
                text.append(escaped)
            case 0x20...0x7E, UInt8(ascii: "\t"):
                text.append(byte)
            default:
                throw .malformed
            }
        }
        throw .malformed
    }
}
