import CampaignCore
import CampaignFormat

/// A host and a port, such as `127.0.0.1:8080`, `[::1]:0` or `proxy.example:3128`.
struct HostAndPort: Hashable, Sendable {
    /// A description of the form, for error messages.
    static let advice =
        "write a host and a port from 0 to 65535, such as 127.0.0.1:8080 or [::1]:8080"

    /// The host; an IPv6 address has no brackets.
    let host: String
    /// The port; with port 0, a server picks a free one.
    let port: Int

    init?(_ text: some StringProtocol) {
        let colon = text.lastIndex(of: ":") ?? text.endIndex
        var host = String(text[..<colon])
        if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
        let digits = text[colon...].dropFirst()
        guard let port = DecimalDigits.parse(digits), port <= UInt16.max, "\(port)" == digits,
            !host.isEmpty, !host.contains("/"), !host.contains(":") || text.hasPrefix("[")
        else { return nil }
        self.host = host
        self.port = port
    }
}

extension EffectiveSettings {
    /// The address that the app backend listens on, unless a flag overrides it.
    func backendAddress() throws(Refused) -> HostAndPort {
        guard let address = HostAndPort(backend.listen ?? "127.0.0.1:8080") else {
            throw Refused(
                "`backend.listen` in the config is not an address to listen on: \(HostAndPort.advice)."
            )
        }
        return address
    }
}
