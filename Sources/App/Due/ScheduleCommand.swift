import ArgumentParser
import CampaignFormat
import Foundation
import ProcessControl

struct ScheduleCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "schedule", abstract: "Lists when campaigns are sent, the next one first.",
        discussion: """
            Reads `schedule` of campaign files; folders are searched for them. The store says what was sent before its \
            start. Times are shown as the clocks of the \
            schedule's zone show them, and in UTC. Nothing is sent or stored. A campaign with faults keeps no other \
            from being listed; the exit code is then 1. With --crontab or --systemd, what starts these campaigns is printed \
            instead, ready to install: it calls `hubsend run --due` each minute.
            """)

    @Argument(
        help: ArgumentHelp(
            "Files and folders; - is standard input. Default: the current folder.",
            valueName: "path"), completion: .campaigns)
    var paths: [String] = []

    @Option(
        help: ArgumentHelp(
            "All occurrences up to then, not only the next: 7d from now, a day such as 2026-12-01 or monday (UTC), or an instant such as 2026-12-01T09:00:00Z.",
            valueName: "time"),
        transform: WrittenTime.future)
    var until: WrittenTime?

    @Option(help: ArgumentHelp("text or json.", valueName: "format"))
    var format: ListFormat = .text

    @Flag var timer: TimerKind?

    @OptionGroup var options: GlobalOptions

    func validate() throws {
        guard let timer, until != nil || format != .text else { return }
        throw ValidationError("--\(timer.rawValue) lists nothing; leave --until and --format out.")
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
            listing.faults.isEmpty ? .done : .faults,
        ]).exit()
    }
}

extension TimerKind: EnumerableFlag {
    static func help(for value: TimerKind) -> ArgumentHelp? {
        switch value {
        case .crontab: "Print lines for a crontab that start what is due."
        case .systemd: "Print a service and a timer of systemd that start what is due."
        }
    }
}
