import CampaignCore
import Delivery
import Storage

// Handles runs that were started with a wrong hub name.

extension RunRequest {
    /// Ends the campaign's paused runs that reached nobody because their hub does not exist.
    ///
    /// Otherwise, these runs would never be continued or ended.
    func endRunsAtMissingHubs(in store: any Store) async throws {
        guard !isFallback else { return }
        switch mode {
        case .occurrence, .again: break
        // Rehearsals and follow-up runs are excluded, because they do not send the whole campaign.
        case .followUp, .rehearsal, .fallback: return
        }
        for run in try await store.runsAtMissingHubs(of: campaign.name, besides: hub) {
            _ = try await store.endAtMissingHub(run, for: hub, command: nil)
        }
    }
}

extension Store {
    /// A campaign's paused runs that reached nobody and whose hub does not exist.
    func runsAtMissingHubs(
        of campaign: String, besides hub: HubIdentity
    ) async throws -> [RunRecord] {
        var search = RunSearch(of: campaign, at: nil)
        search.states = [.paused]
        var found: [RunRecord] = []
        for run in try await runs(search) where run.hub != hub && run.pause == .missingHub {
            if run.isAtMissingHub(try await outcomes(run.id)) { found.append(run) }
        }
        return found
    }

    /// Ends a run; returns false if another process is working on it or has already ended it.
    func endAtMissingHub(
        _ run: RunRecord, for hub: HubIdentity, command: String?
    ) async throws -> Bool {
        do {
            _ = try await RunStopper(ledger: self, lock: campaignLock)
                .stop(run.id, mode: .final, within: .seconds(5))
        } catch is StopError {
            return false
        } catch RunError.noSuchRun {
            return false
        }
        let next =
            command.map { "It is no longer due. To send it through \(hub) now: \($0)" }
            ?? "The campaign now goes through \(hub)."
        Console.complain(
            """
            hubsend: run \(run.id) of campaign \(run.campaign) was ended: its hub \(run.hub) does not exist, and nothing \
            had been sent. \(next)
            """)
        return true
    }
}

extension RunCall {
    /// The error for a run that cannot be continued at the configured hub.
    func otherHub(of run: RunRecord, than hub: HubIdentity) async throws -> any Error {
        let reader = try await settings.store.openForReading()
        let outcomes = try await reader.outcomes(run.id)
        try reader.close()
        guard run.isAtMissingHub(outcomes), let words = RunContinuation.words(toBeginAnew: run)
        else { return RunError.otherHub(run.id, begun: run.hub, configured: hub) }
        return Refused(
            """
            Run \(run.id) was started on the hub \(run.hub), which does not exist, and nothing was sent. To end it and \
            start the campaign on \(hub): \(settings.commandForm(words))
            """)
    }
}
