import ArgumentParser
import LocalHub

/// A host and a port to listen on: `127.0.0.1:8080`, `[::1]:0`.
struct ListenAddress {
    /// The host, an IPv6 address without brackets.
    let host: String
    /// The port; 0 takes a free one.
    let port: Int

    /// Whether only this machine can reach it.
    var isLoopback: Bool { LocalHubAddress(host: host, port: port, hubName: "").isLoopback }

    /// Reads the option's value.
    ///
    /// - Parameter argument: the value.
    /// - Throws: `ValidationError` saying what to write.
    init(_ argument: String) throws {
        let colon = argument.lastIndex(of: ":") ?? argument.endIndex
        var host = argument[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
        guard let port = UInt16(argument[colon...].dropFirst()), !host.isEmpty,
            !host.contains("/"), !host.contains(":") || argument.hasPrefix("[")
        else {
            throw ValidationError(
                "write a host and a port from 0 to 65535, such as 127.0.0.1:8080 or [::1]:8080")
        }
        self.host = String(host)
        self.port = Int(port)
    }
}
