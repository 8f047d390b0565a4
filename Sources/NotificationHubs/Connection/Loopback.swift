/// Which host names stand for this machine.
enum Loopback {
    /// Whether a host is `localhost`, `::1` or an address of `127.0.0.0/8` in its usual four-part
    /// form.
    ///
    /// - Parameter host: a host name or address without brackets.
    /// - Returns: false for every other spelling, since a resolver may read those differently.
    static func contains(_ host: String) -> Bool {
        switch host.lowercased() {
        case "localhost", "::1", "0:0:0:0:0:0:0:1": true
        default: isLoopbackIPv4(host)
        }
    }

    private static func isLoopbackIPv4(_ host: String) -> Bool {
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 4, parts[0] == "127" else { return false }
        return parts.allSatisfy { part in
            part.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
                // A leading zero would make some resolvers read octal.
                && (part.count == 1 || part.first != "0")
                && UInt8(part) != nil
        }
    }
}
