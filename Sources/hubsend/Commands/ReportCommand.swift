import ArgumentParser
import CampaignCore
import CampaignOperations
import Files
import Reports
import Settings
import Storage

/// `hubsend report`.
struct ReportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report", abstract: "Writes a run's report again.",
        discussion: """
            Without RUN, the last run's; with a campaign's name, that campaign's last run, rehearsals included. Goes to a file in the folder for reports unless --output says otherwise, and \
            prints the file's path. A report of a run that is under way shows what has no outcome yet as \
            `not_attempted`. `fetched_at` and `read_at` say when a recipient first fetched and read the payload.

            With --user, what one person was sent, over all runs, newest first; on stdout as text, unless --format \
            or --output say otherwise.
            """)

    @Argument(
        help: ArgumentHelp("A run's id, or a campaign's name.", valueName: "run-or-campaign"),
        completion: .runs, transform: RunReference.argument)
    var run: RunReference?

    @Option(
        help: ArgumentHelp("What this person was sent and fetched.", valueName: "name"),
        transform: Username.argument)
    var user: Username?

    @Option(
        help: ArgumentHelp(
            "csv, jsonl, or text for a summary. Default: csv, and text with --user.",
            valueName: "format"))
    var format: ReportFormat?

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("Where to write it; - for stdout.", valueName: "file"),
        completion: .file())
    var output: String?

    @OptionGroup var options: GlobalOptions

    func validate() throws {
        if run != nil, user != nil {
            throw ValidationError("Name a run, or a person with --user, not both.")
        }
    }

    func run() async throws {
        let settings = try EffectiveSettings.load(options, campaigns: [])
        let store = try SQLiteStore.openForReading(at: settings.store)
        if let user {
            return try await PersonReport(store: store, user: user)
                .write(format ?? .text, to: output, settings, isQuiet: options.quiet)
        }
        let format = format ?? .csv
        let record = try await record(in: store)
        let name = format.fileName(run: record.id, campaign: record.campaign)
        let file = format == .text ? nil : Path.file(name, in: settings.reports)
        try await ReportFile(store: store, record: record, options: settings.repeatedOptions)
            .write(
                format, to: output ?? file, settings, isQuiet: options.quiet,
                makesFolder: output == nil)
    }

    private func record(in store: SQLiteStore) async throws -> RunRecord {
        if let run { return try await run.last(in: store) }
        guard let last = try await store.runs(campaign: nil, limit: 1).first else {
            throw OperationFault.noRun(store: store.path)
        }
        return last
    }
}
