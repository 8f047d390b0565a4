import CampaignCore
import CampaignFormat
import Reports
import Storage

extension RunDetails {
    /// The most reasons that are told.
    private static let mostReasons = 50
    /// The most steps into which a run's time is divided.
    private static let mostSteps = 60

    /// Reads all that a store knows of a run; a run that should be worked on, but is not, is shown as paused.
    ///
    /// - Throws: what the store throws.
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
            zone: CampaignFile.zone(of: run.campaignPath))
        self.init(
            overview, tried: try await store.peopleTried(record.id),
            platforms: try await store.platformOutcomes(record.id),
            course: try await store.course(record.id, steps: Self.mostSteps),
            waves: WaveStanding.joined(try await store.waveStandings(record.id)))
    }
}

extension Store {
    /// The processes that work on a run; nil when the store lets only one process do so.
    ///
    /// - Throws: what the store throws.
    func workers(on run: RunRecord) async throws -> [RunWorker]? {
        guard let sharing else { return nil }
        return run.state == .running ? try await sharing.workers(on: run.id) : []
    }

    /// The fallbacks that follow a run, in order.
    ///
    /// - Throws: what the store throws.
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
