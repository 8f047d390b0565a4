import CampaignCore
import Storage

struct RunDetails: Hashable, Sendable {
    var overview: RunOverview
    /// How many people were sent at least one push.
    var tried: Int
    /// The platforms, in the order of the report.
    var platforms: [PlatformOutcomes]
    /// The outcomes over time; nil if nothing was sent yet.
    var course: RunCourse?
    /// The waves, sorted by start; empty if the run has no waves.
    var waves: [WaveOutcomes] = []
}

extension RunDetails {
    private static let mostReasons = 50
    /// The maximum number of steps into which the duration of a run is divided.
    private static let mostSteps = 60

    /// Reads everything that the store knows about a run.
    init(of record: RunRecord, in store: any Store) async throws {
        self.init(
            overview: try await RunOverview(
                of: record, in: store, hasWorkers: true, mostReasons: Self.mostReasons),
            tried: try await store.peopleTried(record.id),
            platforms: try await store.platformOutcomes(record.id),
            course: try await store.course(record.id, steps: Self.mostSteps),
            waves: WaveOutcomes.joined(try await store.waveOutcomes(record.id)))
    }
}
