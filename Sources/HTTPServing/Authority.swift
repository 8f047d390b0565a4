/// A host, and perhaps a port, as `Host` and `Origin` name them (RFC 3986, section 3.2), taken apart.
///
/// Which hosts are allowed is decided elsewhere.
package struct Authority: Hashable, Sendable {
    /// The host as sent, without brackets; not empty.
    package let host: Substring
    /// Whether the host stood in brackets, as an address of version 6 has to.
    package let isBracketed: Bool
    /// The port, 0 to 65535; nil where none is named.
    package let port: Int?

    /// Takes a text apart; nil when it is neither `host` nor `host:port`.
    package init?(_ text: Substring) {
        let end: Substring.Index
        isBracketed = text.first == "["
        if isBracketed {
            guard let bracket = text.firstIndex(of: "]") else { return nil }
            host = text[text.index(after: text.startIndex)..<bracket]
            end = text.index(after: bracket)
        } else {
            end = text.firstIndex(of: ":") ?? text.endIndex
            host = text[..<end]
        }
        guard !host.isEmpty else { return nil }
        guard end < text.endIndex else {
            port = nil
            return
        }
        let digits = text[end...].dropFirst()
        guard text[end] == ":", 1...5 ~= digits.utf8.count,
            digits.utf8.allSatisfy({ 0x30...0x39 ~= $0 }), let port = UInt16(digits)
        else { return nil }
        self.port = Int(port)
    }
}
