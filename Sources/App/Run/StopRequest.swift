import CampaignCore
import CampaignFormat
import Delivery
import FoundationEssentials
import Storage

struct StopRequest: Sendable {
    /// The maximum number of a campaign's runs that are read.
    private static let most = 10_000

    /// The run to stop; nil for every unfinished run.
    let target: RunReference?
    let mode: StopMode
    let settings: EffectiveSettings

    /// Finds the runs to stop, and lists on stderr other runs of the campaign that are not changed.
    func runs(in store: any Store) async throws -> [RunID] {
        guard let target else {
            return try await store.runs(.unfinished(of: nil))
                .filter { mode == .final || $0.state != .stopped }.map(\.id)
        }
        let campaign: String
        switch target {
        case .run(let id): return [id]
        case .campaign(let name): campaign = name
        }
        var runs = try await store.runs(campaign: campaign, limit: Self.most)
        guard !runs.isEmpty else { throw Refused.noSuchCampaign(campaign) }
        let unfinished = try await store.runs(.unfinished(of: campaign))
        runs += unfinished.filter { !runs.contains($0) }
        if mode == .revoking {
            let choice = try await RevocationChoice(among: runs, in: store)
            if let sentence = choice.untouchedSentence(settings) { Console.complain(sentence) }
            return [choice.run]
        }
        guard !unfinished.isEmpty else {
            try await requireNoFallback(after: runs, in: store)
            throw Refused(
                "Every run of campaign \(campaign) is finished, so there is nothing to stop.")
        }
        guard mode == .final else { return unfinished.map(\.id) }
        let sendings = unfinished.filter { $0.occurrence.fallbackOf == nil }
        try RevocationChoice.requireOne(of: sendings)
        // The fallbacks of the run are ended too.
        let others = unfinished.filter { run in
            run.occurrence.fallbackOf.map { $0 != sendings.first?.id } ?? false
        }
        return (sendings + others).map(\.id)
    }

    /// Stops a run and says what was done; returns nil with `--all` if the run was already
    /// finished.
    func stop(
        _ run: RunID, with stopper: RunStopper, in store: any Store
    ) async throws -> String? {
        let result: StopResult
        do {
            result = try await stopper.stop(run, mode: mode)
        } catch StopError.finished where target == nil {
            return nil
        } catch StopError.finished(let id) {
            try await requireNoFallback(
                after: [try await store.run(id)].compactMap(\.self), in: store)
            throw StopError.finished(id)
        }
        if result == .revoked, let alerts = try await AlertsSent(of: run, in: store) {
            return "Run \(run) is ended for good: \(alerts.sentence) Its report: "
                + settings.command("report", run.text)
        }
        return sentence(result, run)
    }

    /// Refuses finished runs whose fallback is still to come, because nothing can be stopped yet.
    private func requireNoFallback(after runs: [RunRecord], in store: any Store) async throws {
        var looked: Set<HubIdentity> = []
        for run in runs where run.kind.isSilent && looked.insert(run.hub).inserted {
            guard let campaign = settings.campaign(of: run) else { return }
            let expected = try await DueFallbacks.expected(
                of: campaign, at: run.hub, in: store, now: Date())
            if let first = expected.first(where: { found in runs.contains { $0.id == found.id } }) {
                throw Refused(
                    """
                    Run \(first.id) is finished, so there is nothing to stop, but its fallback is still to come. To \
                    prevent the fallback and revoke the run's payloads: \
                    \(settings.command("stop", "--revoke", first.id.text))
                    """)
            }
        }
    }

    private func sentence(_ result: StopResult, _ run: RunID) -> String {
        switch result {
        case .stopped: "Run \(run) is stopped. To continue: \(settings.command("resume", run.text))"
        case .alreadyStopped: "Run \(run) is already stopped."
        case .finished: "Run \(run) finished before it could be stopped."
        case .stopsOnceStaged:
            "Run \(run) has sent nothing yet and will stop before it does."
        case .ended:
            "Run \(run) is ended for good. Its report: \(settings.command("report", run.text))"
        case .revoked:
            "Run \(run) is ended and its payloads are revoked. Its report: "
                + settings.command("report", run.text)
        case .alreadyRevoked(let time):
            "Run \(run) was already revoked on \(UTCTime.readable(time))."
        }
    }
}

extension EffectiveSettings {
    /// The campaign of a run, read from its current file; nil if the file is missing or unreadable.
    func campaign(of run: RunRecord) -> Campaign? {
        guard run.campaignPath != "-" else { return nil }
        let loaded = try? CampaignFile.read(run.campaignPath, scope: scope, terms: terms)
        return [loaded?.campaign, loaded?.withoutFiles].compactMap(\.self)
            .first { $0.name == run.campaign }
    }
}
