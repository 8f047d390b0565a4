import ArgumentParser
import CampaignCore
import Delivery
import ProcessControl
import Storage

struct StopCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stop", abstract: "Stops a run after the pushes in flight; it stays stopped.",
        discussion: """
            Only `hubsend resume` continues a stopped run; `hubsend run` refuses to (exit code 5). Everything that \
            was sent has its outcome in the store.

            With --final nothing continues it: what was not sent stays not_attempted. With --revoke, which also \
            takes a finished run, devices can fetch its payloads no longer; what was not sent is skipped. An alert \
            shows at once, so of a run of alerts only what was not sent is. Neither can be undone, so on a terminal \
            they are asked about, and a campaign has to have only one run that can be meant.
            """)

    @Argument(
        help: ArgumentHelp("A run's id, or a campaign's name.", valueName: "run-or-campaign"),
        completion: .runs, transform: RunReference.argument)
    var target: RunReference?

    @Flag(help: "Stops every run that is not finished.")
    var all = false

    @Flag(help: "Ends the run for good instead of letting it be resumed.")
    var final = false

    @Flag(help: "Ends the run for good and takes its payloads back.")
    var revoke = false

    @Flag(name: .shortAndLong, help: "Do not ask.")
    var yes = false

    @OptionGroup var options: GlobalOptions

    private var mode: StopMode { revoke ? .revoking : final ? .final : .resumable }

    func validate() throws {
        if all == (target != nil) {
            throw ValidationError("Name a run or a campaign, or give --all.")
        }
        if revoke, final {
            throw ValidationError("--revoke ends the run for good too; leave --final out.")
        }
        if revoke, all {
            throw ValidationError(
                "--revoke takes payloads back for good; name the run or campaign that is meant.")
        }
    }

    func run() async throws {
        let settings = try EffectiveSettings.load(options, campaigns: [])
        let reader = try await settings.store.openForReading()
        let order = StopOrder(target: target, mode: mode, settings: settings)
        let runs = try await order.runs(in: reader)
        if !yes {
            try await IrreversibleStop.ask(mode, about: runs, in: reader, settings.invocation)
        }
        try reader.close()
        let store = try await settings.store.open()
        let stopper = RunStopper(ledger: store, lock: store.campaignLock)
        // All at once: each has to wait for the process that works on its run.
        let statuses = await withTaskGroup(of: ExitStatus.self) { group in
            for run in runs {
                group.addTask { await stop(run, of: order, with: stopper, in: store) }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        try ExitStatus.combining(statuses).exit()
    }

    private func stop(
        _ run: RunID, of order: StopOrder, with stopper: RunStopper, in store: any Store
    ) async -> ExitStatus {
        do {
            let sentence = try await order.stop(run, with: stopper, in: store)
            if let sentence, !options.quiet { try Console.say(sentence) }
            return .done
        } catch {
            return Console.complain(error)
        }
    }
}
