import CampaignCore
import Storage

struct RunDetails: Hashable, Sendable {
    var overview: RunOverview
    /// How many people at least one push was sent to.
    var tried: Int
    /// In report order.
    var platforms: [PlatformOutcomes]
    /// nil if nothing was sent yet.
    var course: RunCourse?
    /// Sorted by start; empty if everybody is sent to at once.
    var waves: [WaveOutcomes] = []
}

extension RunDetails {
    private static let mostReasons = 50
    /// The duration of a run is divided into at most this many steps.
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
