import Glibc

/// Determines why a connection failed, based on libpq's message, which is all that libpq provides
/// here.
///
/// libpq and the C library use English, because this program sets no locale. A server may use
/// another language, so only its error code is used.
struct ConnectionFailure {
    let error: PostgreSQLError

    /// Reads a message, which may be about several hosts; `version` is libpq's number, such as
    /// 150018 for 15.18.
    init(_ words: String, ofLibrary version: Int) {
        let lines = Self.readable(words)
        // The answer from one server takes precedence over the failure to reach another host.
        if let answer = lines.compactMap(Self.answer).last {
            error = PostgreSQLError(
                Self.kind(of: answer), sqlState: answer.state,
                message: answer.message + Self.remedy(answer.message, version))
            return
        }
        let message = lines.joined(separator: "; ")
        error = PostgreSQLError(
            Self.kind(of: lines),
            message: message.isEmpty
                ? "The server could not be reached." : message + Self.remedy(message, version))
    }

    /// The lines of libpq's message, without libpq's guesses and without values.
    static func readable(_ words: String) -> [Substring] {
        words.split(separator: "\n").filter { line in
            !["\t", "LOCATION:", "DETAIL:", "HINT:", "Either provide the file"]
                .contains(where: line.hasPrefix)
        }
    }

    /// Parses a server's answer, which consists of the host, a severity, two spaces and the error
    /// code.
    private static func answer(_ line: Substring) -> (state: String, message: String)? {
        guard let failed = line.firstRange(of: "failed: ") else { return nil }
        let rest = line[failed.upperBound...]
        guard let colon = rest.firstRange(of: ":  "),
            !rest[..<colon.lowerBound].contains(" ")
        else { return nil }
        let text = rest[colon.upperBound...]
        let state = text.prefix(5)
        guard text.dropFirst(5).hasPrefix(": "),
            state.utf8.allSatisfy({ 0x30...0x39 ~= $0 || 0x41...0x5a ~= $0 })
        else { return nil }
        // The host remains in the message, and the code is returned separately.
        return (String(state), String(line[..<failed.upperBound]) + String(text.dropFirst(7)))
    }

    /// PgBouncer uses one code, 08P01, for everything that it refuses; its messages are in English.
    private static func kind(
        of answer: (state: String, message: String)
    ) -> PostgreSQLError.Kind {
        let kind = PostgreSQLError.Kind(sqlState: answer.state)
        guard kind == .lost else { return kind }
        let refusals = ["unsupported startup parameter", "no such", "auth", "not allowed", "TLS"]
        // The part before that word contains the host's name.
        let host = answer.message.firstRange(of: "failed: ")?.upperBound
        let said = answer.message[(host ?? answer.message.startIndex)...]
        return refusals.contains(where: said.contains) ? .refused : .unreachable
    }

    /// Classifies libpq's own messages: everything except a network failure requires somebody to
    /// fix something.
    private static func kind(of lines: [Substring]) -> PostgreSQLError.Kind {
        let readOnly = ["session is read-only", "server is in hot standby mode"]
        let replicas = lines.count { line in readOnly.contains(where: line.contains) }
        if replicas > 0 {
            // A replica without a reachable primary is about to become the primary, so the problem
            // is temporary.
            return replicas == lines.count ? .readOnly : .unreachable
        }
        let words = lines.joined(separator: "; ")
        let isFile = words.contains("certificate file") || words.contains("key file")
        return !isFile && unreachable.contains(where: words.contains) ? .unreachable : .refused
    }

    private static let unreachable =
        [
            ECONNREFUSED, ENOENT, ETIMEDOUT, EHOSTUNREACH, ENETUNREACH, EHOSTDOWN, ECONNRESET,
            EPIPE, ENETDOWN, EAGAIN, EADDRNOTAVAIL,
        ].map(LibPQConnection.words) + [
            "could not translate host name", "timeout expired", "EOF detected",
            "closed the connection unexpectedly", "could not receive data from server",
            "could not send", "SSL connection has been closed unexpectedly",
        ]

    /// What to do about a refusal that libpq's message does not explain.
    private static func remedy(_ message: String, _ version: Int) -> String {
        if message.contains("unsupported startup parameter: options") {
            return """
                . A pooler does not accept options. Remove them from the address and from PGOPTIONS, and set \
                them for the role, for example with ALTER ROLE … SET search_path = …
                """
        }
        if message.contains("certificate verify failed") || message.contains("root certificate") {
            // From libpq 16 on, `system` means the system's list of authorities.
            let system =
                version >= 160_000
                ? "sslrootcert=system" : "sslrootcert=/etc/ssl/certs/ca-certificates.crt"
            return """
                . Set sslrootcert=FILE to the certificate of the authority that signed the server's \
                certificate or, for a public authority, set \(system)
                """
        }
        if message.contains("server does not support SSL") {
            return """
                . Turn on ssl on the server or, if nobody can intercept the connection, write \
                sslmode=disable in the address
                """
        }
        return ""
    }
}
