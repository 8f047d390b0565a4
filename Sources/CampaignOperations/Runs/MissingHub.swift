import CampaignCore
import Delivery
import Settings
import Storage
import Terminal

// Runs that were begun with a hub's name that was wrong.

extension RunRequest {
    private static let mostRuns = 100

    /// Ends the runs of the campaign that were paused because their hub does not exist and that reached nobody: nobody would continue
    /// them any more.
    func endRunsAtMissingHubs(in store: any Store) async throws {
        for run in try await store.runs(campaign: campaign.name, limit: Self.mostRuns)
        where run.hub != hub && run.pause == .missingHub {
            guard run.isAtMissingHub(try await store.outcomes(run.id)) else { continue }
            do {
                _ = try await RunStopper(ledger: store, lock: store.campaignLock)
                    .stop(run.id, mode: .final, within: .seconds(5))
            } catch is StopError {
                // Another process works on it, or has ended it.
                continue
            }
            Console.complain(
                """
                hubsend: run \(run.id) of campaign \(run.campaign) is ended: its hub \(run.hub) does not exist, and nothing \
                of it was sent. The campaign goes to the hub \(hub) instead.
                """)
        }
    }
}

extension RunBatch {
    /// Why a run is not continued at the hub of the settings.
    func otherHub(of run: RunRecord, than hub: HubIdentity) async throws -> any Error {
        let reader = try await settings.store.openForReading()
        let outcomes = try await reader.outcomes(run.id)
        try reader.close()
        guard run.isAtMissingHub(outcomes), let words = RunContinuation.words(toBeginAnew: run)
        else { return RunError.otherHub(run.id, begun: run.hub, configured: hub) }
        return OperationFault.missingHub(
            of: run.id, run.hub, configured: hub, anew: settings.commandForm(words))
    }
}
