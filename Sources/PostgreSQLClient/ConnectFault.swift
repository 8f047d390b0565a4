/// Why a connection failed, from libpq's words, which are all that it gives here.
///
/// libpq speaks English, since this program sets no locale for it; a server may not, so only its
/// error code counts.
struct ConnectFault {
    /// Whether a server has answered and refused.
    let isServers: Bool
    let error: PostgreSQLError

    /// Reads the words, which may be about several hosts.
    init(_ words: String) {
        let lines = Self.readable(words)
        let answers = lines.compactMap(Self.answer)
        isServers = !answers.isEmpty
        // A server's answer counts more than another host's absence.
        if let answer = answers.last(where: { $0.state != nil }), let state = answer.state {
            error = PostgreSQLError(sqlState: state, message: answer.message)
            return
        }
        let message = lines.joined(separator: "; ")
        error = PostgreSQLError(
            Self.kind(of: lines),
            message: message.isEmpty ? "The server could not be reached." : message)
    }

    /// The lines of libpq's words without its guesses and without values.
    static func readable(_ words: String) -> [Substring] {
        words.split(separator: "\n").filter { line in
            !["\t", "LOCATION:", "DETAIL:", "HINT:"].contains(where: line.hasPrefix)
        }
    }

    /// A server's answer: after the host, a severity, two spaces and, on request, its error code.
    private static func answer(_ line: Substring) -> (state: String?, message: String)? {
        guard let failed = line.firstRange(of: "failed: ") else { return nil }
        let rest = line[failed.upperBound...]
        guard let colon = rest.firstRange(of: ":  "),
            !rest[..<colon.lowerBound].contains(" ")
        else { return nil }
        let text = rest[colon.upperBound...]
        let state = text.prefix(5)
        guard text.dropFirst(5).hasPrefix(": "),
            state.utf8.allSatisfy({ 0x30...0x39 ~= $0 || 0x41...0x5a ~= $0 })
        else { return (nil, String(text)) }
        // The host stays, the code is kept apart.
        return (String(state), String(line[..<failed.upperBound]) + String(text.dropFirst(7)))
    }

    /// The meaning of libpq's own words: all but network failures need somebody to fix something.
    private static func kind(of lines: [Substring]) -> PostgreSQLError.Kind {
        let readOnly = ["session is read-only", "server is in hot standby mode"]
        let replicas = lines.count { line in readOnly.contains(where: line.contains) }
        if replicas > 0 {
            // A replica without its primary is about to take its place, which passes.
            return replicas == lines.count ? .readOnly : .unreachable
        }
        let words = lines.joined(separator: "; ")
        let unreachable = [
            "Connection refused", "No such file or directory", "could not translate host name",
            "timeout expired", "Connection timed out", "No route to host",
            "Network is unreachable", "Host is down", "Connection reset by peer", "Broken pipe",
            "server closed the connection unexpectedly", "Network is down",
            "could not receive data from server", "could not send", "EOF detected",
            "SSL connection has been closed unexpectedly", "Resource temporarily unavailable",
            "Cannot assign requested address",
        ]
        let isFile = words.contains("certificate file") || words.contains("key file")
        return !isFile && unreachable.contains(where: words.contains) ? .unreachable : .refused
    }
}
