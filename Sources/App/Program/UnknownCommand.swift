import CampaignCore
import CampaignFormat
import Files

/// A word in place of a command, and what was probably meant.
struct UnknownCommand {
    let sentence: String
    /// Lines to show below: what can be typed instead; empty if the sentence says it.
    let details: String

    /// - Parameter path: the commands that lead to it, such as `hubsend payload`.
    init(_ word: String, behind path: [String], among known: [String]) {
        if path.count == 1, let commands = Self.commands(forFile: word) {
            sentence = "\"\(word)\" is not a command; say what to do with it, such as:"
            details = commands.map { "  hubsend \($0) \(ShellWord.quoted(word))\n" }.joined()
            return
        }
        let given = (path.dropFirst() + [word]).joined(separator: " ")
        let meant =
            path.count == 1
            ? Self.meant(by: word, known) : NearestName.nearest(to: word, among: known)
        let remedy =
            meant
            .map { "Did you mean \"\((path + [$0]).joined(separator: " "))\"?" }
            ?? (path.last == "runs"
                ? "To list the runs of a campaign: hubsend runs --campaign \(ShellWord.quoted(word))"
                : "Known are: \(known.joined(separator: ", ")).")
        sentence = "There is no command \"\(given)\". \(remedy)"
        details = ""
    }

    private static func meant(by word: String, _ known: [String]) -> String? {
        if let exact = synonyms.first(where: { $0.value.contains(word.lowercased()) }) {
            return exact.key
        }
        // The longer of two that are as near, since a slip often leaves out a letter.
        let words = synonyms.filter { !irrevocable.contains($0.key) }.values.flatMap(\.self)
            .sorted { ($1.count, $0) < ($0.count, $1) }
        let near = NearestName.nearest(to: word, among: known + words)
        guard let near, !known.contains(near) else { return near }
        return synonyms.first { $0.value.contains(near) }?.key
    }

    /// Commands that cannot be undone: never guessed from a few letters of a synonym.
    private static let irrevocable: Set = [
        "stop --revoke", "payload revoke", "payload purge", "store rekey", "forget",
    ]

    /// Names that other programs use, and that people type first.
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

    /// Commands for a campaign file or a folder; nil if the word looks like neither.
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
