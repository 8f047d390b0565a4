/// The origin of a web page, as browsers write it in `Origin` (RFC 6454, section 6.1).
package struct PageOrigin: Hashable, Sendable {
    /// The value that browsers send for pages without an origin, such as those in a sandboxed
    /// frame.
    package static let none = PageOrigin(checked: "null")

    /// The origin in lower case, without the scheme's default port.
    package let text: String

    private init(checked text: String) {
        self.text = text
    }

    /// Reads `scheme://host`, `scheme://host:port` or `null`.
    package init?(_ text: String) {
        // A scheme as in RFC 3986, section 3.1; then a host name, an IPv4 or an IPv6 address.
        let form = /([a-z][a-z0-9+.\-]*:\/\/)([a-z0-9._\-]+|\[[0-9a-f:.]+\])(?::([0-9]{1,5}))?/
        let text = text.lowercased()
        guard let match = text.wholeMatch(of: form) else {
            guard text == Self.none.text else { return nil }
            self = .none
            return
        }
        let port = match.3.map { UInt16($0) ?? 0 }
        guard port != 0 else { return nil }
        let isUsual = port == nil || port == ["http://": 80, "https://": 443][match.1]
        self.init(checked: match.1 + match.2 + (isUsual ? "" : ":\(port ?? 0)"))
    }
}
