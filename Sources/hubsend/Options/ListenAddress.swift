import ArgumentParser

/// A host and a port to listen on: `127.0.0.1:8099`, `[::1]:0`.
struct ListenAddress: ExpressibleByArgument {
    /// The host, an IPv6 address without brackets.
    let host: String
    /// The port; 0 takes a free one.
    let port: Int

    init?(argument: String) {
        guard let colon = argument.lastIndex(of: ":"),
            let port = UInt16(argument[argument.index(after: colon)...])
        else { return nil }
        var host = argument[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = host.dropFirst().dropLast()
        } else if host.contains(":") {
            return nil
        }
        guard !host.isEmpty else { return nil }
        self.host = String(host)
        self.port = Int(port)
    }
}
