import ArgumentParser
import CampaignCore
import Delivery
import ProcessControl
import Storage

struct StopCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stop",
        abstract: "Stops a run after the pushes in flight; the run remains stopped.",
        discussion: """
            Only `hubsend resume` continues a stopped run; `hubsend run` refuses to continue it \
            (exit code 5). The outcomes of everything that was sent are in the store.

            With --final, the run cannot be continued: unsent pushes remain not_attempted. With --revoke, which also \
            works on a finished run, devices can no longer fetch the payloads, and unsent pushes are skipped. Alerts \
            that were already sent cannot be taken back.

            --final and --revoke cannot be undone, so both ask for confirmation on a terminal, and \
            accept a campaign's name only if it can refer to just one run.
            """)

    @Argument(
        help: ArgumentHelp("A run's id, or a campaign's name.", valueName: "run-or-campaign"),
        completion: .runs, transform: RunReference.argument)
    var target: RunReference?

    @Flag(help: "Stop every unfinished run.")
    var all = false

    @Flag(help: "End the run for good; it cannot be resumed.")
    var final = false

    @Flag(help: "End the run for good and revoke its payloads.")
    var revoke = false

    @Flag(name: .shortAndLong, help: "Do not ask for confirmation.")
    var yes = false

    @OptionGroup var options: GlobalOptions

    private var mode: StopMode { revoke ? .revoking : final ? .final : .resumable }

    func validate() throws {
        if all == (target != nil) {
            throw ValidationError("Name a run or a campaign, or give --all.")
        }
        if revoke, final {
            throw ValidationError("--revoke already ends the run for good; leave out --final.")
        }
        if revoke, all {
            throw ValidationError(
                "--revoke cannot be undone, so it cannot be combined with --all; name the run or campaign."
            )
        }
    }

    func run() async throws {
        let settings = try EffectiveSettings.load(options, campaigns: [])
        let reader = try await settings.store.openForReading()
        let request = StopRequest(target: target, mode: mode, settings: settings)
        let runs = try await request.runs(in: reader)
        if !yes {
            try await IrreversibleStop.ask(mode, about: runs, in: reader, settings.invocation)
        }
        try reader.close()
        let store = try await settings.store.open()
        let stopper = RunStopper(ledger: store, lock: store.campaignLock)
        // The runs are stopped in parallel, because each stop waits for the process that works on
        // the run.
        let statuses = await withTaskGroup(of: ExitStatus.self) { group in
            for run in runs {
                group.addTask { await stop(run, of: request, with: stopper, in: store) }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        try ExitStatus.combining(statuses).exit()
    }

    private func stop(
        _ run: RunID, of request: StopRequest, with stopper: RunStopper, in store: any Store
    ) async -> ExitStatus {
        do {
            let sentence = try await request.stop(run, with: stopper, in: store)
            if let sentence, !options.quiet { try Console.say(sentence) }
            return .done
        } catch {
            return Console.complain(error)
        }
    }
}
