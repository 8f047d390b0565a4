import NIOCore

/// Which hosts mean this machine's loopback interface.
package enum LoopbackHost {
    /// Whether a host is `localhost`, in 127.0.0.0/8, or `::1`: in any spelling, with or without
    /// brackets, and also where a socket for both versions writes one of version 4 as version 6.
    package static func contains(_ host: String) -> Bool {
        switch host.lowercased() {
        case "127.0.0.1", "::1", "[::1]", "localhost":
            return true
        case let other where other.contains(":"):
            guard let address = address(other) else { return false }
            return address == "::1" || address.hasPrefix("::ffff:127.")
        case let other:
            let octets = other.split(separator: ".", omittingEmptySubsequences: false)
            return octets.count == 4 && octets[0] == "127"
                && octets.allSatisfy { $0.count <= 3 && UInt8($0) != nil }
        }
    }

    /// The shortest spelling of an address of version 6; nil for any other text.
    private static func address(_ text: String) -> String? {
        do {
            return try SocketAddress(ipAddress: text, port: 0).ipAddress
        } catch {
            return nil
        }
    }
}
