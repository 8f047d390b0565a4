import NIOCore

/// Recognises hosts that refer to this machine's loopback interface.
package enum LoopbackHost {
    /// Whether a host is `localhost`, an address in 127.0.0.0/8, `::1` in any spelling with or
    /// without brackets, or an IPv4 loopback address written as IPv6.
    ///
    /// Other spellings of IPv4, such as `127.0.0.010`, may be another address or a name.
    package static func contains(_ host: String) -> Bool {
        switch host.lowercased() {
        case "127.0.0.1", "::1", "[::1]", "localhost":
            return true
        case let other:
            guard let address = address(other) else { return false }
            return address == "::1" || address.hasPrefix("127.")
                || address.hasPrefix("::ffff:127.")
        }
    }

    private static func address(_ text: String) -> String? {
        // The system would stop at a zero byte and would read a zone after `%`.
        guard text.utf8.allSatisfy({ $0.isASCIIAlphanumeric || ".:".utf8.contains($0) }) else {
            return nil
        }
        do {
            return try SocketAddress(ipAddress: text, port: 0).ipAddress
        } catch {
            return nil
        }
    }
}
