import HTTPTypes

/// The request that brought a send, as far as it is shown to people.
///
/// What opens something is left out, and what is long is cut: it is kept for each of many sends.
struct SendOrigin: Sendable, Hashable, Codable {
    /// The longest path with its query, in characters.
    static let longestPath = 2_048
    /// The longest value of a header, in characters.
    static let longestValue = 1_024
    /// What names and values of the headers may take together, in bytes; those behind are left out.
    static let mostHeaderBytes = 8_192

    private static let secrets: Set = [
        "authorization", "proxy-authorization", "cookie", "hubsend-token", "auth", "p256dh",
    ]

    /// The method.
    let method: String
    /// Path and query as sent.
    let path: String
    /// The headers without those that open something, names in lower case.
    let headers: [String: String]

    /// Takes down a request.
    ///
    /// - Parameter request: the request.
    init(_ request: HubRequest) {
        method = request.method.rawValue
        path = Self.cut(request.target.text, to: Self.longestPath)
        var headers: [String: String] = [:]
        var bytes = 0
        for (name, value) in request.headers.sorted(by: { $0.key < $1.key })
        where !Self.secrets.contains(name) {
            let value = Self.cut(value, to: Self.longestValue)
            bytes += name.utf8.count + value.utf8.count
            guard bytes <= Self.mostHeaderBytes else { break }
            headers[name] = value
        }
        self.headers = headers
    }

    /// Roughly what it takes of memory, in bytes.
    var size: Int {
        headers.reduce(128 + method.utf8.count + path.utf8.count) {
            $0 + 64 + $1.key.utf8.count + $1.value.utf8.count
        }
    }

    private static func cut(_ text: String, to length: Int) -> String {
        guard text.utf8.count > length, text.unicodeScalars.count > length else { return text }
        return String(String.UnicodeScalarView(text.unicodeScalars.prefix(length))) + "…"
    }
}
