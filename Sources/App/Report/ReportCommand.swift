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
            Without RUN, the report is for the last run; with a campaign's name, it is for that campaign's last run, \
            including rehearsals. The report is written to a file in the reports folder, and the file's path is \
            printed; --output chooses another file. While a run is in progress, pushes without an outcome are listed \
            as `not_attempted`. `fetched_at` and `read_at` are the times when a recipient first fetched and read the \
            payload.

            --format html writes one page that works offline and shows how many people were reached, outcomes by \
            platform and over time, reasons, and a searchable table of all rows.

            With --user, lists what one person was sent in all runs, newest first. With --since or \
            --until, lists the runs that began in that time, with one row each. Both are printed \
            on stdout as text, unless --format or --output is given.
            """)

    @Argument(
        help: ArgumentHelp("A run's id, or a campaign's name.", valueName: "run-or-campaign"),
        completion: .runs, transform: RunReference.argument)
    var run: RunReference?

    @Option(
        help: ArgumentHelp("List what this person was sent and fetched.", valueName: "name"),
        transform: Username.argument)
    var user: Username?

    @Option(
        help: ArgumentHelp(
            "List runs that began at this time or later: 7d for seven days ago, a day such as yesterday, monday or 2026-12-01 (UTC), or an exact time such as 2026-12-01T09:00:00Z.",
            valueName: "time"),
        transform: WrittenTime.past)
    var since: WrittenTime?

    @Option(
        help: ArgumentHelp(
            "List runs that began before this time, or by the end of this day; takes the same values as --since.",
            valueName: "time"),
        transform: WrittenTime.past)
    var until: WrittenTime?

    @Option(
        help: ArgumentHelp(
            "The output format: csv, jsonl, html (a page) or text (a summary). Default: csv, or text with --user, --since or --until.",
            valueName: "format"))
    var format: ReportFormat?

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("Write the report to this file; - is stdout.", valueName: "file"),
        completion: .file())
    var output: String?

    @Flag(
        help:
            "First ask the hub what the push services did with the run's messages, to fill the column `pns`. Makes one request for each message whose result is not known yet, at the campaign's rate. Requires the Standard tier."
    )
    var telemetry = false

    @OptionGroup var options: GlobalOptions

    func validate() throws {
        if run != nil, user != nil {
            throw ValidationError("Name a run or give --user, but not both.")
        }
        if user != nil, format == .html {
            throw ValidationError(
                "--format html shows only runs; with --user, use text, csv or jsonl.")
        }
        if telemetry, user != nil || period != nil {
            throw ValidationError(
                "--telemetry asks about one run; name the run, or leave out --telemetry.")
        }
        guard let period else { return }
        if user != nil {
            throw ValidationError(
                "--since and --until list runs; leave them out, or leave out --user.")
        }
        if case .run = run {
            throw ValidationError(
                "--since and --until list several runs; leave out the run's id, or name a campaign instead."
            )
        }
        if let since = period.since, let until = period.until, since >= until {
            throw ValidationError("--until must be later than --since.")
        }
    }

    /// The period of the runs to list; nil for the report of one run or one person.
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
            // If the campaign has no runs, its name is probably mistyped.
            let campaign = try await run?.last(in: store).campaign
            return try await PeriodReport(
                period: period, campaign: campaign, store: store, made: Date()
            ).write(format ?? .text, to: output, settings, isQuiet: options.quiet)
        }
        let format = format ?? .csv
        let record = try await RunReference.last(run, in: store)
        // The report is written even if the hub does not answer.
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
            "interrupted; the hub's answers so far are saved. To get the rest, run the same command again.",
            status: signal.status)
    }
}
