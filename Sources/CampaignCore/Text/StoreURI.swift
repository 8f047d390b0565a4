/// Recognises the URI of a PostgreSQL server among store settings.
package enum StoreURI {
    package static func isServer(_ text: String) -> Bool {
        text.hasPrefix("postgresql://") || text.hasPrefix("postgres://")
    }

    /// Whether a setting was meant to specify a server, even if it is malformed.
    ///
    /// Examples are a misspelt scheme, quotes or libpq's other form. Such a setting may contain a
    /// password, so it must not be shown as a path.
    package static func isMeant(_ text: String) -> Bool {
        let text = text.lowercased()
        let words = [
            "host", "hostaddr", "port", "user", "password", "dbname", "service", "sslmode",
        ]
        return text.contains("://") || text.hasPrefix("postgres") && text.contains(":/")
            || words.contains { text.hasPrefix($0 + "=") }
    }

    /// Whether a URI, well formed or not, may contain a password; its line must then not be shown.
    package static func mayHavePassword(_ text: String) -> Bool {
        let rest = text.drop { $0 != "/" }.dropFirst(2)
        guard let end = rest.lastIndex(of: "@") else { return text.lowercased().contains("pass") }
        return rest[..<end].contains(":") || text.lowercased().contains("pass")
    }
}
