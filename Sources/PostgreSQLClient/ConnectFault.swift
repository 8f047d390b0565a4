/// Why nobody could connect, out of the words of libpq, which has nothing else to say here.
///
/// libpq speaks English, since this program sets no locale for it; a server speaks its own language, and so is known by
/// its error code alone.
struct ConnectFault {
    /// Whether a server has answered, and would not have us.
    let isServers: Bool
    let error: PostgreSQLError

    /// Reads the words, of which there may be some for each host that was tried.
    init(_ words: String) {
        let lines = Self.readable(words)
        let answers = lines.compactMap(Self.answer)
        isServers = !answers.isEmpty
        // What a server says counts more than that another was not there.
        if let answer = answers.last(where: { $0.state != nil }), let state = answer.state {
            error = PostgreSQLError(sqlState: state, message: answer.message)
            return
        }
        let message = lines.joined(separator: "; ")
        error = PostgreSQLError(
            Self.kind(of: lines),
            message: message.isEmpty ? "The server could not be reached." : message)
    }

    /// The lines of libpq's words without its guesses, and without what shows values.
    static func readable(_ words: String) -> [Substring] {
        words.split(separator: "\n").filter { line in
            !["\t", "LOCATION:", "DETAIL:", "HINT:"].contains(where: line.hasPrefix)
        }
    }

    /// What a server has answered: behind the host, a severity, two spaces and, if that was asked for, its error code.
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

    /// What libpq's own words mean: everything but a network that does not carry is something that somebody has to mend.
    private static func kind(of lines: [Substring]) -> PostgreSQLError.Kind {
        let readOnly = ["session is read-only", "server is in hot standby mode"]
        let replicas = lines.count { line in readOnly.contains(where: line.contains) }
        if replicas > 0 {
            // A replica beside a server that is not there is about to take its place, which passes.
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
