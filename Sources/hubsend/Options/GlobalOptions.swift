import ArgumentParser
import CampaignOperations
import Logging
import Settings
import Terminal

extension LogFormat: ExpressibleByArgument {}

/// The options of every command.
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

    /// What they say where other settings may say it too.
    var flags: SettingFlags {
        SettingFlags(config: config, store: store, reports: reports, audiences: audiences)
    }

    /// The logger that the command hands on.
    func logger() -> Logger {
        let level: Logger.Level = verbose ? .debug : quiet ? .error : .warning
        let format = logFormat
        return Logger(label: "hubsend") { label in
            StderrLogHandler(label: label, level: level, format: format)
        }
    }
}

extension EffectiveSettings {
    /// Brings flags, environment and config together.
    ///
    /// - Parameters:
    ///   - options: the flags.
    ///   - campaigns: the campaign files that the command names, beside or above which a config may be.
    ///   - invocation: environment and current folder.
    /// - Returns: the settings.
    /// - Throws: `SettingFault`, `InputFileError` or `ConfigFaults`.
    static func load(
        _ options: GlobalOptions, campaigns: [String], invocation: Invocation = .current()
    ) throws -> EffectiveSettings {
        try load(options.flags, campaigns: campaigns, invocation: invocation)
    }
}

/// The options of what lists what is in the store.
struct ListOptions: ParsableArguments {
    @Option(help: ArgumentHelp("How many at the most, 1 to 10,000.", valueName: "count"))
    var limit = 50

    func validate() throws {
        guard (1...10_000).contains(limit) else {
            throw ValidationError("--limit takes a number from 1 to 10,000.")
        }
    }
}

/// How a list, or one of its things, is written.
///
/// A group that `runs` and `runs show` share by its name: an option of its own would be taken for that of `runs`, wherever it stands.
struct FormatOptions: ParsableArguments {
    @Option(help: ArgumentHelp("text or json.", valueName: "format"))
    var format: ListFormat = .text
}
