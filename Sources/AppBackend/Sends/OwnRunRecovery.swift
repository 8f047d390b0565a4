import CampaignCore
import FoundationEssentials
import Logging

/// Finishes the runs of ``OwnRun`` that an error or a kill left open, since nobody resumes them.
struct OwnRunRecovery {
    /// How many of the newest runs are looked at.
    private static let most = 1_000

    let store: any RunLedger
    let logger: Logger

    /// Finishes all that are left open; what cannot be finished is told in the log, and left for
    /// the next start.
    func finishRuns(at time: Date) async {
        do {
            let runs = try await store.runs(campaign: OwnRun.campaign, limit: Self.most)
            for run in runs where run.state != .finished { await finish(run.id, at: time) }
        } catch {
            logger.error(
                "It is not known which payloads to oneself were interrupted.",
                metadata: ["error": "\(error)"])
        }
    }

    /// Gives what may have gone out the outcome `unknown`, and what did not go out `failed`.
    func finish(_ run: RunID, at time: Date) async {
        do {
            try await store.endRemaining(run, as: .failed, detail: "interrupted", at: time)
            try await store.setState(.finished, reason: nil, of: run, at: time)
        } catch {
            logger.error(
                "A payload to oneself was interrupted; the next start of the server finishes it.",
                metadata: ["run": "\(run)", "error": "\(error)"])
        }
    }
}
