import CampaignCore
import CampaignFormat
import Storage

extension RunOverview {
    /// Reads what the store knows about a run; a running run without a process is shown as paused.
    ///
    /// Counting people is slow for large audiences. Without `mostReasons`, only the columns of a
    /// list are read.
    init(
        of record: RunRecord, in store: any Store, countsPeople: Bool = true,
        hasWorkers: Bool = false, mostReasons: Int? = nil
    ) async throws {
        self.init(
            run: await record.withLiveState(in: store),
            outcomes: try await store.outcomes(record.id))
        if countsPeople { reach = try await store.reach(record.id) }
        if hasWorkers { workers = try await store.workers(on: run) }
        guard let mostReasons else { return }
        if outcomes.failures > 0 {
            reasons = try await store.reasons(record.id, limit: mostReasons)
        }
        fallbacks = try await store.fallbacks(of: record)
        zone = CampaignFile.zone(of: record.campaignPath)
        later = try await store.successor(of: record)
    }
}

extension Store {
    /// The last run of the same campaign, if it is later than this one.
    fileprivate func successor(of run: RunRecord) async throws -> RunID? {
        var search = RunSearch(of: run.campaign, at: run.hub)
        search.states.remove(.staging)
        search.startedFrom = run.started
        search.limit = 1
        return try await runs(search).first.flatMap { $0.id == run.id ? nil : $0.id }
    }

    /// The processes that work on a run; nil if the store allows only one process.
    func workers(on run: RunRecord) async throws -> [RunWorker]? {
        guard let sharing else { return nil }
        return run.state == .running ? try await sharing.workers(on: run.id) : []
    }

    func fallbacks(of run: RunRecord) async throws -> [RunID] {
        var found: [RunID] = []
        while true {
            let next = Occurrence.fallback(of: run.id, number: found.count + 1)
            guard
                let fallback = try await self.run(
                    hub: run.hub, campaign: run.campaign, occurrence: next)
            else { return found }
            found.append(fallback.id)
        }
    }
}
