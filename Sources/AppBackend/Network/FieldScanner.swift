import HTTPServing

/// Reads a `Forwarded` field from its end (RFC 7239, section 4; RFC 9110, section 5.6).
///
/// Commas separate elements, and semicolons separate the `name=value` pairs of an element.
struct FieldScanner {
    private struct Malformed: Error {}

    /// The maximum number of quoted commas within an element.
    private static let mostCommas = 32

    private let value: String
    /// The part that has not been read yet.
    private var bytes: ArraySlice<UInt8>
    private var position = 0

    init(_ value: String) {
        self.value = value
        bytes = Array(value.utf8)[...]
    }

    /// Returns the last element's pairs, with names in lower case; nil if no element is left.
    ///
    /// The next call returns the preceding element. Skips empty elements. A repeated name is
    /// malformed.
    mutating func lastElement() throws(ForwardedError) -> [String: String]? {
        while let last = bytes.last, " \t,".utf8.contains(last) { bytes.removeLast() }
        guard !bytes.isEmpty else { return nil }
        var start = bytes.endIndex
        for _ in 0...Self.mostCommas {
            // The comma may be in quotes. If so, the part after it is not an element, because it
            // contains a closing quotation mark without an opening one.
            let comma = bytes[..<start].lastIndex(of: UInt8(ascii: ","))
            position = comma.map { $0 + 1 } ?? bytes.startIndex
            do throws(Malformed) {
                let pairs = try element()
                bytes = bytes[..<(comma ?? bytes.startIndex)]
                return pairs
            } catch {
                guard let comma else { break }
                start = comma
            }
        }
        throw .malformed(field: "Forwarded", value: value)
    }

    private mutating func element() throws(Malformed) -> [String: String] {
        var pairs: [String: String] = [:]
        repeat {
            skipSpaces()
            // An empty pair is allowed: `for=192.0.2.43;`.
            guard let byte = next, byte != UInt8(ascii: ";") else { continue }
            let name = try token()
            guard skip(UInt8(ascii: "=")) else { throw Malformed() }
            let value = next == UInt8(ascii: "\"") ? try quotedString() : try token()
            guard pairs.updateValue(value, forKey: name.lowercased()) == nil else {
                throw Malformed()
            }
            skipSpaces()
        } while skip(UInt8(ascii: ";"))
        guard next == nil else { throw Malformed() }
        return pairs
    }

    private var next: UInt8? { position < bytes.endIndex ? bytes[position] : nil }

    private mutating func skip(_ byte: UInt8) -> Bool {
        guard next == byte else { return false }
        position += 1
        return true
    }

    private mutating func skipSpaces() {
        while next == UInt8(ascii: " ") || next == UInt8(ascii: "\t") { position += 1 }
    }

    private mutating func token() throws(Malformed) -> String {
        let rest = bytes[position...]
        let token = rest.prefix { $0.isASCIIAlphanumeric || "!#$%&'*+-.^_`|~".utf8.contains($0) }
        guard !token.isEmpty else { throw Malformed() }
        position = token.endIndex
        return String(decoding: token, as: UTF8.self)
    }

    /// Reads a quoted string of visible ASCII; addresses and hosts have no other characters.
    private mutating func quotedString() throws(Malformed) -> String {
        position += 1
        var text: [UInt8] = []
        while let byte = next {
            position += 1
            switch byte {
            case UInt8(ascii: "\""):
                return String(decoding: text, as: UTF8.self)
            case UInt8(ascii: "\\"):
                guard let escaped = next, 0x20...0x7E ~= escaped else { throw Malformed() }
                position += 1
                text.append(escaped)
            case 0x20...0x7E, UInt8(ascii: "\t"):
                text.append(byte)
            default:
                throw Malformed()
            }
        }
        throw Malformed()
    }
}
