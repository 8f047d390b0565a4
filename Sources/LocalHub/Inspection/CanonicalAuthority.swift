import HTTPServing
import NIOCore

/// A host and optional port from `Host` or `Origin`, in a canonical spelling for comparison.
struct CanonicalAuthority: Hashable {
    /// The host as ``HostName/canonical(_:)`` spells it.
    let host: String
    /// The port; nil if none is given.
    let port: Int?

    /// Reads a host with or without a port; an IPv6 address must be in brackets.
    init?(_ text: some StringProtocol) {
        guard let authority = Authority(Substring(text)),
            !authority.isBracketed || authority.host.contains(":"),
            let host = HostName.canonical(authority.host)
        else { return nil }
        self.host = host
        port = authority.port
    }

    /// Whether an origin has this host and port, with either scheme; `null` and lists of origins
    /// never match.
    func isOrigin(_ origin: String) -> Bool {
        for (scheme, usual) in [("http://", 80), ("https://", 443)] where origin.hasPrefix(scheme) {
            guard let named = CanonicalAuthority(origin.dropFirst(scheme.count)) else {
                return false
            }
            return named.host == host && (named.port ?? usual) == (port ?? usual)
        }
        return false
    }
}

/// The canonical spelling of host names, for comparison.
enum HostName {
    /// Returns a host name in lower case, or an IP address in its shortest spelling (IPv6 without
    /// brackets).
    ///
    /// Returns nil for a trailing dot, an empty label, a wildcard, a zone, or a number that is not
    /// an address.
    static func canonical(_ text: some StringProtocol) -> String? {
        let text = text.lowercased()
        guard (1...253).contains(text.utf8.count), text.utf8.allSatisfy(isHostByte) else {
            return nil
        }
        if text.contains(":") { return address(text) }
        let labels = text.split(separator: ".", omittingEmptySubsequences: false)
        guard labels.allSatisfy(isLabel) else { return nil }
        // Browsers treat any host that ends in a number as an IPv4 address.
        guard let last = labels.last, endsAsNumber(last) else { return text }
        return address(text)
    }

    private static func address(_ text: String) -> String? {
        do {
            return try SocketAddress(ipAddress: text, port: 0).ipAddress
        } catch {
            return nil
        }
    }

    private static func isHostByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: ":"):
            true
        default:
            false
        }
    }

    private static func isLabel(_ label: Substring) -> Bool {
        (1...63).contains(label.utf8.count) && label.first != "-" && label.last != "-"
    }

    private static func endsAsNumber(_ label: Substring) -> Bool {
        label.hasPrefix("0x") || label.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }
}
