import ArgumentParser
import Logging

extension LogFormat: ExpressibleByArgument {}

struct GlobalOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The config file. Default: $HUBSEND_CONFIG, or the nearest hubsend.yaml in the campaign's folder or above it; for commands without a campaign, in the current folder or above it.",
            valueName: "file"), completion: .yamlFiles)
    var config: String?

    @Option(
        help: ArgumentHelp(
            "The store: a file, or the postgresql:// URI of a server, without a password. Default: $HUBSEND_STORE, or `store` in the config, or .hubsend/store.sqlite next to the config or, if there is none, next to the campaign.",
            valueName: "file"), completion: .file())
    var store: String?

    @Option(
        help: ArgumentHelp(
            "The folder for reports. Default: $HUBSEND_REPORTS, or `reports` in the config, or .hubsend/reports next to the config or, if there is none, next to the campaign.",
            valueName: "folder"), completion: .directory)
    var reports: String?

    @Option(
        help: ArgumentHelp(
            "The folder with the audience files that campaigns name as export:… Default: $HUBSEND_AUDIENCES, or `audiences` in the config.",
            valueName: "folder"), completion: .directory)
    var audiences: String?

    @Flag(
        name: .shortAndLong,
        help: "Do not print progress or a summary; print only failures, on stderr.")
    var quiet = false

    @Flag(name: .shortAndLong, help: "Log details to stderr.")
    var verbose = false

    @Option(help: ArgumentHelp("The format of log lines: text or json.", valueName: "format"))
    var logFormat: LogFormat = .text

    func validate() throws {
        if quiet, verbose {
            throw ValidationError("--quiet and --verbose cannot be used together.")
        }
    }

    /// The values that the environment or the config can also set.
    var flags: SettingFlags {
        SettingFlags(config: config, store: store, reports: reports, audiences: audiences)
    }

    func logger() -> Logger {
        let level: Logger.Level = verbose ? .debug : quiet ? .error : .warning
        let format = logFormat
        return Logger(label: "hubsend") { label in
            StderrLogHandler(label: label, level: level, format: format)
        }
    }
}

extension EffectiveSettings {
    /// Combines flags, environment and config, which is searched for near the campaigns.
    static func load(
        _ options: GlobalOptions, campaigns: [String], invocation: Invocation = .current()
    ) throws -> EffectiveSettings {
        try load(options.flags, campaigns: campaigns, invocation: invocation)
    }
}

/// The options of commands that list the store's content.
struct ListOptions: ParsableArguments {
    @Option(help: ArgumentHelp("List at most this many entries, 1 to 10,000.", valueName: "count"))
    var limit = 50

    func validate() throws {
        guard (1...10_000).contains(limit) else {
            throw ValidationError("--limit takes a number from 1 to 10,000.")
        }
    }
}

/// The format option of a list or of one of its entries.
///
/// `runs` and `runs show` share this group, because the parser gives options of `show` to `runs`.
struct FormatOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The output format: text or json.", valueName: "format"))
    var format: ListFormat = .text
}
