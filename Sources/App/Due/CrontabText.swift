import CampaignCore

/// Crontab lines that call `hubsend run --due`, ready to install (crontab(5)).
struct CrontabText: Sendable {
    /// Debian's cron refuses lines of this many bytes or more (`MAX_COMMAND` and `MAX_ENVSTR`).
    static let limit = 1_000

    let call: DueCall

    /// - Throws: ``Refused`` when cron would misread one of the lines.
    func text() throws(Refused) -> String {
        let opening = call.isOwnUser ? "crontab -e" : "crontab -u \(call.user) -e (as root)"
        var lines =
            (call.overview + [
                "Add these lines at the end of the crontab of \(call.user): \(opening)",
                "Cron mails problems to \(call.user). To mail somebody else, remove the # from this line:",
                "MAILTO=oncall@example.com",
            ]).map { "# " + $0 }
        // The words are quoted for this shell, but an earlier line of the crontab may set another
        // shell.
        lines.append("SHELL=/bin/sh")
        // Cron's PATH has only two folders, but programs that print secrets are often elsewhere.
        if call.runsCommands { lines.append("PATH=/usr/local/bin:/usr/bin:/bin") }
        for variable in call.variables {
            if let task = variable.preparation(for: call.user) { lines.append("# " + task) }
            let value = try Self.value(variable.value)
            lines.append("\(variable.name)=\(value)")
        }
        lines.append("* * * * * \(call.words.map(Self.word).joined(separator: " "))")
        if let longest = lines.map(\.utf8.count).max(), longest >= Self.limit {
            throw Refused(
                """
                The crontab line would be \(Figures.count(longest)) bytes long, but cron accepts fewer than \
                \(Figures.count(Self.limit)). Name the folder of the campaigns instead of each file.
                """)
        }
        return lines.map { $0 + "\n" }.joined()
    }

    /// Quotes a word for the shell in a crontab.
    ///
    /// In a crontab, `%` is a line break unless an unescaped backslash precedes it.
    private static func word(_ text: String) -> String {
        ShellWord.quoted(text).replacingBytes(#"\%"#, with: #"\''%"#).replacingBytes(
            "%", with: #"\%"#)
    }

    /// Quotes a variable's value, because cron strips spaces and quotation marks around it.
    private static func value(_ text: String) throws(Refused) -> String {
        let edges = [text.utf8.first, text.utf8.last].compactMap(\.self)
        guard edges.contains(where: { " \"'".utf8.contains($0) }) else { return text }
        if !text.utf8.contains(UInt8(ascii: "\"")) { return "\"\(text)\"" }
        guard !text.utf8.contains(UInt8(ascii: "'")) else { throw .noTimer(holds: text) }
        return "'\(text)'"
    }
}
