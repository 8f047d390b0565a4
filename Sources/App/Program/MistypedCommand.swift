import ArgumentParser
import CampaignCore
import CampaignFormat
import Files

/// Suggests the command or option that was probably meant.
enum MistypedCommand {
    /// The error for an unknown command, including after `help`; nil if something else is wrong.
    static func refusal(of arguments: [String]) -> Refused? {
        let (command, path, rest) = command(in: arguments)
        let known = command.configuration.subcommands.map { $0._commandName }
        guard let word = rest.first, !word.isEmpty, !word.hasPrefix("-"), word != "help",
            !known.isEmpty
        else { return nil }
        return refusal(of: word, after: path, among: known)
    }

    /// The parser's message, with a suggestion for an unknown option.
    ///
    /// The parser's own suggestions have only a few letters in common with the option.
    static func explained(_ message: String, in arguments: [String]) -> String {
        let (command, path, _) = command(in: arguments)
        let known = Hubsend.helpMessage(for: command)
            .matches(of: /(?m)^  (?:-\w, )?(--[\w-]+)/).map { String($0.1) }
        let unknown =
            /(?<problem>Unknown option '(?<option>--?[^'=\s]+)')(?:\. Did you mean '[^']*'\?)?/
        return message.replacing(unknown) { match in
            let remedy = UnknownOption.remedy(
                for: String(match.option), of: path.last ?? "", among: known)
            return match.problem + (remedy.map { ". \($0)" } ?? "")
        }
    }

    private static func command(
        in arguments: [String]
    ) -> (command: any ParsableCommand.Type, path: [String], rest: ArraySlice<String>) {
        var command: any ParsableCommand.Type = Hubsend.self
        var path = ["hubsend"]
        var rest = arguments.drop { $0 == "help" }
        while let word = rest.first,
            let next = command.configuration.subcommands.first(where: { $0._commandName == word })
        {
            command = next
            path.append(word)
            rest.removeFirst()
        }
        return (command, path, rest)
    }

    /// The error for a word that is not a command, with a suggestion.
    private static func refusal(
        of word: String, after path: [String], among known: [String]
    ) -> Refused {
        if path.count == 1, let commands = commands(forFile: word) {
            return Refused(
                "\"\(word)\" is not a command. Say what to do with it, for example:",
                details: commands.map { "  hubsend \($0) \(ShellWord.quoted(word))\n" }.joined())
        }
        let given = (path.dropFirst() + [word]).joined(separator: " ")
        let meant =
            path.count == 1 ? meant(by: word, known) : NearestName.nearest(to: word, among: known)
        let remedy =
            meant
            .map { "Did you mean \"\((path + [$0]).joined(separator: " "))\"?" }
            ?? (path.last == "runs"
                ? "To list the runs of a campaign: hubsend runs --campaign \(ShellWord.quoted(word))"
                : "Valid commands are: \(known.joined(separator: ", ")).")
        return Refused("There is no command \"\(given)\". \(remedy)")
    }

    private static func meant(by word: String, _ known: [String]) -> String? {
        if let exact = synonyms.first(where: { $0.value.contains(word.lowercased()) }) {
            return exact.key
        }
        // If two words are equally similar, the longer one is preferred: typos often drop a letter.
        let words = synonyms.filter { !irrevocable.contains($0.key) }.values.flatMap(\.self)
            .sorted { ($1.count, $0) < ($0.count, $1) }
        let near = NearestName.nearest(to: word, among: known + words)
        guard let near, !known.contains(near) else { return near }
        return synonyms.first { $0.value.contains(near) }?.key
    }

    /// Commands that cannot be undone, which are never suggested for a mistyped synonym.
    private static let irrevocable: Set = [
        "stop --revoke", "payload revoke", "payload purge", "store rekey", "forget",
    ]

    /// Names that other programs use for similar commands.
    static let synonyms: [String: Set<String>] = [
        "validate": ["check", "lint", "verify", "fmt", "format"],
        "preview": ["test", "dry-run", "dryrun", "simulate", "plan", "diff", "try", "view"],
        "run": [
            "send", "start", "launch", "push", "deliver", "publish", "execute", "go", "apply",
            "resend",
        ],
        "report": [
            "export-report", "reports", "result", "results", "stats", "statistics", "summary",
        ],
        "runs": ["status", "list", "ls", "history", "ps", "jobs", "log", "logs", "campaigns"],
        "runs show": ["show", "inspect", "describe"],
        "schedule": ["cron", "crontab", "timer", "next", "calendar", "when"],
        "stop": ["cancel", "pause", "abort", "halt", "kill", "end"],
        "stop --revoke": ["unsend", "recall", "undo", "rollback"],
        "resume": ["continue", "retry", "restart", "unpause"],
        "hub exec": ["exec"],
        "hub": ["emulator", "inbox", "mock", "local", "fake"],
        "device": ["devices", "simulator", "phone"],
        "serve": ["server", "backend", "api", "daemon"],
        "worker": ["workers", "agent", "join"],
        "payload list": ["notifications", "messages"],
        "payload revoke": ["revoke"],
        "payload purge": ["purge", "prune", "clean", "cleanup", "gc"],
        "store backup": ["backup", "dump"],
        "store check": ["fsck"],
        "store migrate": ["migrate", "upgrade"],
        "store rekey": ["rekey", "rotate"],
        "forget": ["erase", "gdpr"],
        "doctor": ["health", "diagnose", "config", "env", "info", "ping"],
        "rules": ["rule", "explain"],
        "init": ["new", "create", "setup", "scaffold", "add"],
        "completions": ["complete", "autocomplete"],
        "help": ["man", "usage", "commands"],
        "--version": ["version"],
    ]

    /// The commands that take this file or folder; nil if the word is neither.
    private static func commands(forFile word: String) -> [String]? {
        if word.hasSuffix(".yaml") || word.hasSuffix(".yml") {
            return ["validate", "preview", "run"]
        }
        do {
            switch try FileStatus(of: word).kind {
            case .folder: return ["validate", "preview"]
            case .regular: return ["validate", "preview", "run"]
            case .link, .special: return nil
            }
        } catch {
            return nil
        }
    }
}
