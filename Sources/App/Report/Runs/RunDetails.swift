import CampaignCore
import Storage

struct RunDetails: Hashable, Sendable {
    var overview: RunOverview
    /// People with a try.
    var tried: Int
    /// In report order.
    var platforms: [PlatformOutcomes]
    /// nil when nothing was sent yet.
    var course: RunCourse?
    /// By start; empty if everybody's turn is at once.
    var waves: [WaveStanding] = []
}

extension RunDetails {
    private static let mostReasons = 50
    /// The most steps that a run's time is divided into.
    private static let mostSteps = 60

    /// Reads all that a store knows about a run.
    init(of record: RunRecord, in store: any Store) async throws {
        self.init(
            overview: try await RunOverview(
                of: record, in: store, hasWorkers: true, mostReasons: Self.mostReasons),
            tried: try await store.peopleTried(record.id),
            platforms: try await store.platformOutcomes(record.id),
            course: try await store.course(record.id, steps: Self.mostSteps),
            waves: WaveStanding.joined(try await store.waveStandings(record.id)))
    }
}
