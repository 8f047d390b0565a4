import ArgumentParser
import CampaignCore
import Delivery
import Settings
import Storage
import Terminal

/// `hubsend stop`.
struct StopCommand: AsyncParsableCommand {
    private static let most = 10_000

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
        transform: RunReference.argument)
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
        let path = settings.store
        let reader = try SQLiteStore.openForReading(at: path)
        let runs = try await wanted(in: reader, settings)
        if !yes {
            try await IrreversibleStop.ask(mode, about: runs, in: reader, settings.invocation)
        }
        try reader.close()
        let store = try SQLiteStore.open(at: path)
        let stopper = RunStopper(ledger: store, lock: StoreLock(ofStoreAt: path))
        // All at once: each has to wait for the process that works on its run.
        let statuses = await withTaskGroup(of: ExitStatus.self) { group in
            for run in runs {
                group.addTask { await stop(run, with: stopper, in: store, settings) }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        try CommandEnd.exit(.combining(statuses))
    }

    private func stop(
        _ run: RunID, with stopper: RunStopper, in store: SQLiteStore, _ settings: EffectiveSettings
    ) async -> ExitStatus {
        do {
            let result = try await stopper.stop(run, mode: mode)
            if !options.quiet {
                var sentence = Self.sentence(result, run, settings)
                if result == .revoked, let alerts = try await AlertsSent(of: run, in: store) {
                    sentence =
                        "Run \(run) is ended for good: \(alerts.sentence) Its report: "
                        + settings.command("report", run.text)
                }
                try Console.output(sentence + "\n")
            }
            return .done
        } catch StopError.finished where all {
            return .done  // Before it was its turn.
        } catch {
            let failure = FailureTranslation.end(for: error)
            Console.complain(failure)
            return failure.status
        }
    }

    private func wanted(in store: SQLiteStore, _ settings: EffectiveSettings) async throws
        -> [RunID]
    {
        guard let target else {
            let runs = try await store.runs(campaign: nil, limit: Self.most)
            return runs.filter { $0.state != .finished && (final || $0.state != .stopped) }
                .map(\.id)
        }
        let campaign: String
        switch target {
        case .run(let id): return [id]
        case .campaign(let name): campaign = name
        }
        let runs = try await store.runs(campaign: campaign, limit: Self.most)
        guard !runs.isEmpty else { throw CommandEnd.noSuchCampaign(campaign) }
        let unfinished = runs.filter { $0.state != .finished }.map(\.id)
        if revoke {
            let choice = try await RevocationChoice(among: runs, in: store)
            if let sentence = choice.untouchedSentence(settings) { Console.complain(sentence) }
            return [choice.run]
        }
        if final { try RevocationChoice.requireOne(of: runs.filter { $0.state != .finished }) }
        guard !unfinished.isEmpty else {
            throw CommandEnd(
                .configuration,
                "Every run of campaign \(campaign) is finished, so there is nothing to stop.")
        }
        return unfinished
    }

    private static func sentence(_ result: StopResult, _ run: RunID, _ settings: EffectiveSettings)
        -> String
    {
        switch result {
        case .stopped: "Run \(run) is stopped. To continue: \(settings.command("resume", run.text))"
        case .alreadyStopped: "Run \(run) was stopped before."
        case .finished: "Run \(run) finished before it could be stopped."
        case .stopsOnceStaged:
            "Run \(run) has sent nothing yet; it stops before it sends anything."
        case .ended:
            "Run \(run) is ended for good. Its report: \(settings.command("report", run.text))"
        case .revoked:
            "Run \(run) is ended and its payloads are taken back. Its report: "
                + settings.command("report", run.text)
        case .alreadyRevoked(let time):
            "Run \(run) was taken back already on \(UTCTime.readable(time))."
        }
    }
}
