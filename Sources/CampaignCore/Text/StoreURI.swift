/// The form of a store's place that is no path: the URI of a PostgreSQL server.
package enum StoreURI {
    /// Whether a setting names a server and no file.
    package static func isServer(_ text: String) -> Bool {
        text.hasPrefix("postgresql://") || text.hasPrefix("postgres://")
    }

    /// Whether a setting was meant to name a server, be it as a URI or in a form that does not count.
    ///
    /// It has a slip in its scheme, stands in quotes, or is in libpq's other form. As it may hold a password, nobody takes it for a
    /// path, which would be shown.
    package static func isMeant(_ text: String) -> Bool {
        let text = text.lowercased()
        let words = [
            "host", "hostaddr", "port", "user", "password", "dbname", "service", "sslmode",
        ]
        return text.contains("://") || text.hasPrefix("postgres") && text.contains(":/")
            || words.contains { text.hasPrefix($0 + "=") }
    }

    /// Whether a URI looks as if it had a password, well formed or not: then nobody shows the line that it stands in.
    package static func mayHavePassword(_ text: String) -> Bool {
        let rest = text.drop { $0 != "/" }.dropFirst(2)
        guard let end = rest.lastIndex(of: "@") else { return text.lowercased().contains("pass") }
        return rest[..<end].contains(":") || text.lowercased().contains("pass")
    }
}
