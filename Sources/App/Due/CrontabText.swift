import CampaignCore

/// Crontab lines that start what is due, ready to install (crontab(5)).
struct CrontabText: Sendable {
    /// In bytes: Debian's cron refuses lines of this length (`MAX_COMMAND` and `MAX_ENVSTR`).
    static let limit = 1_000

    let call: DueCall

    /// - Throws: ``Refused`` when cron would misread one of the lines.
    func text() throws(Refused) -> String {
        let opening = call.isOwnUser ? "crontab -e" : "crontab -u \(call.user) -e (as root)"
        var lines =
            (call.overview + [
                "For the crontab of \(call.user): these lines belong at the end of what this opens: \(opening)",
                "Cron mails to \(call.user) what goes wrong; to somebody else with a line such as this, without its #:",
                "MAILTO=oncall@example.com",
            ]).map { "# " + $0 }
        // The words are quoted for this shell, but the crontab may name another one further up.
        lines.append("SHELL=/bin/sh")
        // Cron's own path has only two folders, and programs that give secrets are often elsewhere.
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
                The line would have \(Figures.count(longest)) bytes, and cron takes fewer than \
                \(Figures.count(Self.limit)); name the folder of the campaigns instead of each file.
                """)
        }
        return lines.map { $0 + "\n" }.joined()
    }

    /// A word for the shell, as it stands in a crontab.
    ///
    /// There, `%` is a line break unless an unescaped backslash precedes it.
    private static func word(_ text: String) -> String {
        ShellWord.quoted(text).replacingBytes(#"\%"#, with: #"\''%"#).replacingBytes(
            "%", with: #"\%"#)
    }

    /// A variable's value: cron strips spaces and quotation marks around it.
    private static func value(_ text: String) throws(Refused) -> String {
        let edges = [text.utf8.first, text.utf8.last].compactMap(\.self)
        guard edges.contains(where: { " \"'".utf8.contains($0) }) else { return text }
        if !text.utf8.contains(UInt8(ascii: "\"")) { return "\"\(text)\"" }
        guard !text.utf8.contains(UInt8(ascii: "'")) else { throw .noTimer(holds: text) }
        return "'\(text)'"
    }
}
