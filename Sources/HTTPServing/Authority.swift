/// A host and an optional port, as in `Host` and `Origin` (RFC 3986, section 3.2).
package struct Authority: Hashable, Sendable {
    /// The host as sent, without brackets; not empty.
    package let host: Substring
    /// Whether the host was in brackets, as an IPv6 address must be.
    package let isBracketed: Bool
    /// Nil if there is no port.
    package let port: Int?

    /// Nil if the text is neither `host` nor `host:port`.
    package init?(_ text: Substring) {
        let bytes = text.utf8
        let end: Substring.Index
        isBracketed = bytes.first == UInt8(ascii: "[")
        if isBracketed {
            guard let bracket = bytes.firstIndex(of: UInt8(ascii: "]")) else { return nil }
            host = Substring(bytes[..<bracket].dropFirst())
            end = bytes.index(after: bracket)
        } else {
            end = bytes.firstIndex(of: UInt8(ascii: ":")) ?? bytes.endIndex
            host = text[..<end]
        }
        guard !host.isEmpty else { return nil }
        guard end < bytes.endIndex else {
            port = nil
            return
        }
        let digits = bytes[end...].dropFirst()
        guard bytes[end] == UInt8(ascii: ":"), 1...5 ~= digits.count,
            digits.allSatisfy({ 0x30...0x39 ~= $0 }), let port = UInt16(Substring(digits))
        else { return nil }
        self.port = Int(port)
    }
}
