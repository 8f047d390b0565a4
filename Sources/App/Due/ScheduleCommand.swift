import ArgumentParser
import CampaignFormat
import Foundation
import ProcessControl

struct ScheduleCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "schedule", abstract: "Lists when campaigns will be sent, soonest first.",
        discussion: """
            Reads the `schedule` of campaign files; folders are searched for campaigns. It checks the store for \
            campaigns that were already sent early. Times are shown in the time zone of the schedule and in UTC. \
            Nothing is sent or stored. If some campaigns have errors, it reports them, lists the others and exits \
            with 1. With --crontab or --systemd, it prints crontab lines or systemd units for these campaigns \
            instead, ready to install, which call `hubsend run --due` every minute.
            """)

    @Argument(
        help: ArgumentHelp(
            "Campaign files and folders; - means standard input. Default: the current folder.",
            valueName: "path"), completion: .campaigns)
    var paths: [String] = []

    @Option(
        help: ArgumentHelp(
            "List all occurrences up to this time, not only the next one: a duration from now such as 7d, a day such as 2026-12-01 or monday (UTC), or an exact time such as 2026-12-01T09:00:00Z.",
            valueName: "time"),
        transform: WrittenTime.future)
    var until: WrittenTime?

    @Option(help: ArgumentHelp("The output format: text or json.", valueName: "format"))
    var format: ListFormat = .text

    @Flag var timer: TimerKind?

    @OptionGroup var options: GlobalOptions

    func validate() throws {
        guard let timer, until != nil || format != .text else { return }
        throw ValidationError("--\(timer.rawValue) cannot be combined with --until or --format.")
    }

    func run() async throws {
        let (now, invocation) = (Date(), Invocation.current())
        var listing = ScheduleListing(
            flags: options.flags, invocation: invocation, at: now, until: until?.last)
        let search = CampaignSearch(paths.isEmpty ? ["."] : paths)
        for hit in search.files() { try await listing.add(hit) }
        if let timer {
            let program = try Program(
                [CommandLine.arguments.first ?? "hubsend"], in: invocation.currentFolder,
                searching: invocation["PATH"])
            try listing.print(for: timer, calling: program.path, searched: search)
        } else {
            try listing.print(format)
        }
        try ExitStatus.combining([
            listing.failures.isEmpty ? .done : .configuration,
            listing.findings.isEmpty ? .done : .findings,
        ]).exit()
    }
}

extension TimerKind: EnumerableFlag {
    static func help(for value: TimerKind) -> ArgumentHelp? {
        switch value {
        case .crontab: "Print crontab lines that send whatever is due."
        case .systemd: "Print a systemd service and timer that send whatever is due."
        }
    }
}
