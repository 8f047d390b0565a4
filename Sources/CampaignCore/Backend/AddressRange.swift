import Glibc

/// A range of IP addresses, such as `10.0.0.0/8`, `::1` or `192.0.2.7`.
package struct AddressRange: Hashable, Sendable, CustomStringConvertible {
    /// The range as it is written.
    package let text: String
    private let address: IPAddress
    private let bits: Int

    /// Reads a range; nil when the text is none, or when bits behind the prefix are set.
    package init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count <= 2, let address = IPAddress(String(parts[0])) else { return nil }
        var bits = address.bytes.count * 8
        if parts.count == 2 {
            guard let count = Int(parts[1]), parts[1].utf8.allSatisfy({ 48...57 ~= $0 }),
                (0...bits).contains(count)
            else { return nil }
            bits = count
        }
        guard address.prefix(bits) == address.bytes else { return nil }
        self.text = text
        self.address = address
        self.bits = bits
    }

    package func contains(_ other: IPAddress) -> Bool {
        other.bytes.count == address.bytes.count && other.prefix(bits) == address.bytes
    }

    package var description: String { text }
}
