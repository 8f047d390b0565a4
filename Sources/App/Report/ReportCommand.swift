import ArgumentParser
import CampaignCore
import Files
import Foundation
import ProcessControl
import Storage

struct ReportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report", abstract: "Writes a run's report again.",
        discussion: """
            Without RUN, the last run's; with a campaign's name, that campaign's last run, rehearsals included. Goes to a file in the folder for reports unless --output says otherwise, and \
            prints the file's path. A report of a run that is under way shows what has no outcome yet as \
            `not_attempted`. `fetched_at` and `read_at` say when a recipient first fetched and read the payload.

            --format html writes one page that needs no network: how many people were reached, outcomes by platform and \
            over time, reasons, and a table of all rows to search.

            With --user, what one person was sent, over all runs, newest first; with --since or --until, a row for each run \
            that began then. Both go to stdout as text, unless --format or --output say otherwise.
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
            "Runs that began then or later: 7d ago, a day such as yesterday, monday or 2026-12-01 (UTC), or an instant such as 2026-12-01T09:00:00Z.",
            valueName: "time"),
        transform: WrittenTime.past)
    var since: WrittenTime?

    @Option(
        help: ArgumentHelp(
            "Runs that began before that instant, or until the end of that day; written as for --since.",
            valueName: "time"),
        transform: WrittenTime.past)
    var until: WrittenTime?

    @Option(
        help: ArgumentHelp(
            "csv, jsonl, html for a page, or text for a summary. Default: csv, and text with --user, --since or --until.",
            valueName: "format"))
    var format: ReportFormat?

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("Where to write it; - for stdout.", valueName: "file"),
        completion: .file())
    var output: String?

    @Flag(
        help:
            "First ask the hub what push services made of the run's messages, for the column `pns`: a request for each that is not known yet, at the campaign's rate. Needs the Standard tier."
    )
    var telemetry = false

    @OptionGroup var options: GlobalOptions

    func validate() throws {
        if run != nil, user != nil {
            throw ValidationError("Name a run, or a person with --user, not both.")
        }
        if user != nil, format == .html {
            throw ValidationError(
                "--format html is of runs; with --user take text, csv or jsonl.")
        }
        if telemetry, user != nil || period != nil {
            throw ValidationError(
                "--telemetry asks about one run; name it, or leave --telemetry out.")
        }
        guard let period else { return }
        if user != nil {
            throw ValidationError("--since and --until are about runs; leave them or --user out.")
        }
        if case .run = run {
            throw ValidationError(
                "--since and --until list runs; leave the run's id out, or name a campaign instead."
            )
        }
        if let since = period.since, let until = period.until, since >= until {
            throw ValidationError("--until is not after --since, so no run can be between them.")
        }
    }

    /// When the listed runs began; nil if one run or one person is meant.
    private var period: RunPeriod? {
        since == nil && until == nil ? nil : RunPeriod(since: since?.start, until: until?.end)
    }

    func run() async throws {
        let settings = try EffectiveSettings.load(options, campaigns: [])
        let store = try await settings.store.openForReading()
        if let user {
            return try await PersonReport(store: store, user: user)
                .write(format ?? .text, to: output, settings, isQuiet: options.quiet)
        }
        if let period {
            // A campaign without runs is a typo, not an empty list.
            let campaign = try await run?.last(in: store).campaign
            return try await PeriodReport(
                period: period, campaign: campaign, store: store, made: Date()
            ).write(format ?? .text, to: output, settings, isQuiet: options.quiet)
        }
        let format = format ?? .csv
        let record = try await RunReference.last(run, in: store)
        // The report is written whatever the hub says.
        let failure =
            telemetry
            ? await TelemetryInquiry.failure(
                about: record, settings, isQuiet: options.quiet,
                logger: options.logger()) : nil
        let name = format.fileName(run: record.id, campaign: record.campaign)
        let file = format == .text ? nil : Path.file(name, in: settings.reports)
        try await ReportFile(store: store, record: record, command: settings.commandForm)
            .write(
                format, to: output ?? file, settings, isQuiet: options.quiet,
                makesFolder: output == nil)
        if let failure { throw Self.end(ofTelemetry: failure) }
    }

    static func end(ofTelemetry error: any Error) -> any Error {
        guard let signal = error as? SignalWatch.Interruption else { return error }
        return Refused(
            "interrupted; what the hub has answered is kept, and the same command asks for the rest.",
            status: signal.status)
    }
}
