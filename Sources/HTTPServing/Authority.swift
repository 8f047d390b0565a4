/// A host and an optional port, as in `Host` and `Origin` (RFC 3986, section 3.2).
package struct Authority: Hashable, Sendable {
    /// As sent, without brackets; not empty.
    package let host: Substring
    /// Whether the host was in brackets, as an IPv6 address must be.
    package let isBracketed: Bool
    /// nil where none is named.
    package let port: Int?

    /// nil when the text is neither `host` nor `host:port`.
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
