/// Which host names mean this machine's loopback interface.
enum LoopbackHost {
    /// Whether a host is `localhost`, in 127.0.0.0/8, or `::1` with or without brackets.
    static func contains(_ host: String) -> Bool {
        switch host.lowercased() {
        case "localhost", "::1", "[::1]":
            return true
        case let other:
            let octets = other.split(separator: ".", omittingEmptySubsequences: false)
            return octets.count == 4 && octets[0] == "127"
                && octets.allSatisfy { $0.count <= 3 && UInt8($0) != nil }
        }
    }
}
