/// Which hub a run belongs to: its host without port and its name, lower-case.
///
/// Runs are unique by it, so that one begun on the local hub is never continued on production.
package struct HubIdentity: Hashable, Sendable, CustomStringConvertible {
    package let host: String
    package let name: String

    /// - Parameters:
    ///   - host: the host name or address, without port. The embedded local hub is `local`.
    ///   - name: the hub's name in its namespace.
    package init(host: String, name: String) {
        self.host = host.lowercased()
        self.name = name.lowercased()
    }

    /// Reads back what ``description`` wrote; nil when it has no slash.
    package init?(_ text: String) {
        guard let slash = text.lastIndex(of: "/") else { return nil }
        self.init(host: String(text[..<slash]), name: String(text[text.index(after: slash)...]))
    }

    /// `host/name`.
    package var description: String { "\(host)/\(name)" }
}
