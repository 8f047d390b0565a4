import ArgumentParser
import Logging

extension LogFormat: ExpressibleByArgument {}

struct GlobalOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The config file. Default: $HUBSEND_CONFIG, else the nearest hubsend.yaml in the campaign's folder or above it; without a campaign, from the current folder upward.",
            valueName: "file"), completion: .yamlFiles)
    var config: String?

    @Option(
        help: ArgumentHelp(
            "The store: a file, or the postgresql:// URI of a server, without a password. Default: $HUBSEND_STORE, else the config's `store`, else .hubsend/store.sqlite beside the config or, without one, beside the campaign.",
            valueName: "file"), completion: .file())
    var store: String?

    @Option(
        help: ArgumentHelp(
            "The folder for reports. Default: $HUBSEND_REPORTS, else the config's `reports`, else .hubsend/reports beside the config or, without one, beside the campaign.",
            valueName: "folder"), completion: .directory)
    var reports: String?

    @Option(
        help: ArgumentHelp(
            "The folder of the audience files that campaigns name as export:… Default: $HUBSEND_AUDIENCES, else the config's `audiences`.",
            valueName: "folder"), completion: .directory)
    var audiences: String?

    @Flag(name: .shortAndLong, help: "No progress and no summary; only failures on stderr.")
    var quiet = false

    @Flag(name: .shortAndLong, help: "Log what happens to stderr.")
    var verbose = false

    @Option(help: ArgumentHelp("How log lines are written: text or json.", valueName: "format"))
    var logFormat: LogFormat = .text

    func validate() throws {
        if quiet, verbose {
            throw ValidationError("--quiet and --verbose cannot be used together.")
        }
    }

    /// Their values that other settings may give too.
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
    /// Combines flags, environment and config, which may be near the campaigns.
    static func load(
        _ options: GlobalOptions, campaigns: [String], invocation: Invocation = .current()
    ) throws -> EffectiveSettings {
        try load(options.flags, campaigns: campaigns, invocation: invocation)
    }
}

/// The options of commands that list the store's content.
struct ListOptions: ParsableArguments {
    @Option(help: ArgumentHelp("How many at the most, 1 to 10,000.", valueName: "count"))
    var limit = 50

    func validate() throws {
        guard (1...10_000).contains(limit) else {
            throw ValidationError("--limit takes a number from 1 to 10,000.")
        }
    }
}

/// How a list, or one of its entries, is written.
///
/// `runs` and `runs show` share this group: the parser would give an option of `show` to `runs`.
struct FormatOptions: ParsableArguments {
    @Option(help: ArgumentHelp("text or json.", valueName: "format"))
    var format: ListFormat = .text
}
