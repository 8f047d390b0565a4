import CampaignCore
import CampaignFormat
import Storage

extension RunDetails {
    private static let mostReasons = 50
    /// The most steps that a run's time is divided into.
    private static let mostSteps = 60

    /// Reads all that a store knows about a run; an open run without a process counts as paused.
    init(of record: RunRecord, in store: any Store) async throws {
        let run = await record.standing(in: store)
        let outcomes = try await store.outcomes(record.id)
        let overview = RunOverview(
            run: run, outcomes: outcomes,
            reach: try await store.reach(record.id),
            reasons: outcomes.hasReasons
                ? try await store.reasons(record.id, limit: Self.mostReasons) : [],
            fallbacks: try await store.fallbacks(of: record),
            workers: try await store.workers(on: run),
            zone: CampaignFile.zone(of: run.campaignPath), later: try await store.successor(of: run)
        )
        self.init(
            overview, tried: try await store.peopleTried(record.id),
            platforms: try await store.platformOutcomes(record.id),
            course: try await store.course(record.id, steps: Self.mostSteps),
            waves: WaveStanding.joined(try await store.waveStandings(record.id)))
    }
}

extension Store {
    /// The last sending of a run's campaign, if it is another one.
    func successor(of run: RunRecord) async throws -> RunID? {
        var search = RunSearch(of: run.campaign, at: run.hub)
        search.states.remove(.staging)
        search.startedFrom = run.started
        search.limit = 1
        return try await runs(search).first.flatMap { $0.id == run.id ? nil : $0.id }
    }

    /// The processes that work on a run; nil if the store lets only one process do so.
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
