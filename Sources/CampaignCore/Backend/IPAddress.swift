#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// An IP address; version 4 written as version 6 (`::ffff:192.0.2.7`) is treated as version 4.
package struct IPAddress: Hashable, Sendable, CustomStringConvertible {
    /// The address as 4 or 16 bytes, most significant first.
    package let bytes: [UInt8]

    /// Reads an address without brackets or zone.
    package init?(_ text: String) {
        guard text.utf8.count <= 45, !text.utf8.contains(0) else { return nil }
        var bytes = [UInt8](repeating: 0, count: 16)
        if unsafe inet_pton(AF_INET, text, &bytes) == 1 {
            self.init(bytes: Array(bytes[..<4]))
        } else if unsafe inet_pton(AF_INET6, text, &bytes) == 1 {
            self.init(bytes: bytes)
        } else {
            return nil
        }
    }

    package init(bytes: [UInt8]) {
        let isMapped =
            bytes.count == 16 && bytes[..<10].allSatisfy { $0 == 0 } && bytes[10] == 0xFF
            && bytes[11] == 0xFF
        self.bytes = isMapped ? Array(bytes[12...]) : bytes
    }

    /// 127.0.0.0/8 or ::1.
    package var isLoopback: Bool {
        bytes.count == 4
            ? bytes[0] == 127 : bytes.dropLast().allSatisfy { $0 == 0 } && bytes.last == 1
    }

    func prefix(_ bits: Int) -> [UInt8] {
        bytes.enumerated().map { index, byte in
            let kept = min(max(bits - index * 8, 0), 8)
            return byte & UInt8(truncatingIfNeeded: 0xFF00 >> kept)
        }
    }

    package var description: String {
        if bytes.count == 4 { return bytes.map { String($0) }.joined(separator: ".") }
        var text = [UInt8](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        unsafe text.withUnsafeMutableBytes { buffer in
            let start = unsafe buffer.baseAddress?.assumingMemoryBound(to: CChar.self)
            _ = unsafe inet_ntop(AF_INET6, bytes, start, socklen_t(buffer.count))
        }
        return String(decoding: text.prefix { $0 != 0 }, as: UTF8.self)
    }
}

/// A range of IP addresses, such as `10.0.0.0/8`, `::1` or `192.0.2.7`.
package struct AddressRange: Hashable, Sendable, CustomStringConvertible {
    package let text: String
    private let address: IPAddress
    private let bits: Int

    /// Returns nil for a malformed range, or if bits after the prefix are set.
    package init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count <= 2, let address = IPAddress(String(parts[0])) else { return nil }
        var bits = address.bytes.count * 8
        if parts.count == 2 {
            guard let count = Int(parts[1]), "\(count)" == parts[1], (0...bits).contains(count)
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
