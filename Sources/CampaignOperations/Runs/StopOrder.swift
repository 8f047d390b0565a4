package import CampaignCore
package import Delivery
package import Settings
package import Storage
import Terminal

/// Which runs `hubsend stop` stops, and how.
package struct StopOrder: Sendable {
    /// The most runs of a campaign, or of a store, that are looked through.
    private static let most = 10_000

    private let target: RunReference?
    private let mode: StopMode
    private let settings: EffectiveSettings

    /// - Parameters:
    ///   - target: a run, or a campaign's; nil: every run that is not finished.
    ///   - mode: what to leave of them.
    ///   - settings: those of the command.
    package init(_ target: RunReference?, mode: StopMode, settings: EffectiveSettings) {
        self.target = target
        self.mode = mode
        self.settings = settings
    }

    /// Finds the runs; says on stderr which others of a campaign are left as they are.
    ///
    /// - Parameter store: where they are.
    /// - Returns: the runs.
    /// - Throws: ``OperationFault`` when there is none, or it cannot be told which is meant; what the store throws.
    package func runs(in store: any Store) async throws -> [RunID] {
        guard let target else {
            let runs = try await store.runs(campaign: nil, limit: Self.most)
            return runs.filter {
                $0.state != .finished && (mode == .final || $0.state != .stopped)
            }
            .map(\.id)
        }
        let campaign: String
        switch target {
        case .run(let id): return [id]
        case .campaign(let name): campaign = name
        }
        let runs = try await store.runs(campaign: campaign, limit: Self.most)
        guard !runs.isEmpty else { throw OperationFault.noSuchCampaign(campaign) }
        let unfinished = runs.filter { $0.state != .finished }
        if mode == .revoking {
            let choice = try await RevocationChoice(among: runs, in: store)
            if let sentence = choice.untouchedSentence(settings) { Console.complain(sentence) }
            return [choice.run]
        }
        guard !unfinished.isEmpty else { throw OperationFault.nothingToStop(campaign: campaign) }
        guard mode == .final else { return unfinished.map(\.id) }
        let sendings = unfinished.filter { $0.occurrence.fallbackOf == nil }
        try RevocationChoice.requireOne(of: sendings)
        // Those that follow it end with it.
        let others = unfinished.filter { run in
            run.occurrence.fallbackOf.map { $0 != sendings.first?.id } ?? false
        }
        return (sendings + others).map(\.id)
    }

    /// Stops one of them, and waits until the process that works on it has ended.
    ///
    /// - Parameters:
    ///   - run: the run.
    ///   - stopper: what stops it.
    ///   - store: where it is.
    /// - Returns: what became of it, as a sentence; nil when it finished before its turn, and no run was named.
    /// - Throws: `StopError`, and what the store throws.
    package func stop(
        _ run: RunID, with stopper: RunStopper, in store: any Store
    ) async throws -> String? {
        let result: StopResult
        do {
            result = try await stopper.stop(run, mode: mode)
        } catch StopError.finished where target == nil {
            return nil
        }
        if result == .revoked, let alerts = try await AlertsSent(of: run, in: store) {
            return "Run \(run) is ended for good: \(alerts.sentence) Its report: "
                + settings.command("report", run.text)
        }
        return sentence(result, run)
    }

    private func sentence(_ result: StopResult, _ run: RunID) -> String {
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
