import CampaignCore
import Delivery
import Settings
import Storage
import Terminal

// Runs that began with a wrong hub name.

extension RunRequest {
    /// Ends the campaign's paused runs that reached nobody and whose hub does not exist.
    ///
    /// Nobody would continue them.
    func endRunsAtMissingHubs(in store: any Store) async throws {
        guard !isFallback else { return }
        switch mode {
        case .occurrence, .again: break
        // The campaign itself is not sent by this request.
        case .rest, .rehearsal, .fallback: return
        }
        var search = RunSearch(of: campaign.name, at: nil)
        search.states = [.paused]
        for run in try await store.runs(search) where run.hub != hub && run.pause == .missingHub {
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
                hubsend: run \(run.id) of campaign \(run.campaign) was ended: its hub \(run.hub) does not exist, and nothing \
                had been sent. The campaign is now sent through \(hub).
                """)
        }
    }
}

extension RunBatch {
    /// Why a run is not continued at the configured hub.
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
