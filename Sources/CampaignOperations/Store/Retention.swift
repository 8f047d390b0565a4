package import CampaignCore
package import CampaignFormat
package import Foundation
package import Settings
package import Storage

/// Deletes what is kept of runs once it is older than the config's `retention` says.
///
/// It can be applied every minute, beside everything else. If nothing is due, it reads a few pages. Nobody who writes to the store
/// waits for more than some hundredths of a second.
package struct Retention: Sendable {
    /// What one application deleted.
    package struct Deleted: Hashable, Sendable {
        /// Payloads whose content was deleted.
        package var payloads = PurgeCounts()
        /// Runs whose deliveries were deleted.
        package var deliveries = DeletedDeliveries()
        /// How much smaller the store's file is.
        package var space = StoreSpace()

        package init() {}

        /// Whether there was anything to delete.
        package var isAnything: Bool {
            payloads != PurgeCounts() || deliveries != DeletedDeliveries()
        }
    }

    private let times: RetentionTimes

    /// - Parameter times: how long each kind of data is kept.
    package init(_ times: RetentionTimes) {
        self.times = times
    }

    /// Deletes what the settings no longer keep; does nothing when the config has no `retention`.
    ///
    /// If a call was interrupted, the next one goes on with its work.
    ///
    /// - Parameters:
    ///   - settings: the settings.
    ///   - store: an open store.
    ///   - now: the current time.
    /// - Returns: what was deleted.
    /// - Throws: `StoreError`; `CancellationError` when the task is cancelled in between.
    package static func apply(
        _ settings: EffectiveSettings, to store: any Store, now: Date
    ) async throws -> Deleted {
        let retention = Retention(settings.retention)
        var deleted = Deleted()
        deleted.payloads = try await retention.deletePayloads(in: store, now: now)
        deleted.deliveries = try await retention.deleteDeliveries(in: store, now: now)
        if deleted.isAnything { deleted.space = try await store.giveSpaceBack(isBrief: true) }
        return deleted
    }

    private func deletePayloads(in store: any Store, now: Date) async throws -> PurgeCounts {
        guard let time = times.payloads else { return PurgeCounts() }
        return try await store.purgePayloads(ofRunsEndedBy: now - time / .seconds(1), at: now)
    }

    /// Deletes deliveries, and leaves payloads and the file's size as they are.
    ///
    /// - Parameters:
    ///   - store: an open store; for a dry run, it may be open for reading.
    ///   - now: the current time.
    ///   - isDryRun: counts only.
    /// - Returns: what was deleted, or would be.
    /// - Throws: as ``apply(_:to:now:)``.
    func deleteDeliveries(
        in store: any Store, now: Date, isDryRun: Bool = false
    ) async throws -> DeletedDeliveries {
        guard let time = times.deliveries else { return DeletedDeliveries() }
        return try await store.deleteDeliveries(
            ofRunsEndedBy: now - time / .seconds(1), at: now, isDryRun: isDryRun)
    }

    /// What is said of deleted deliveries; nil when none were deleted.
    ///
    /// - Parameters:
    ///   - deleted: how many.
    ///   - isDryRun: whether they are still there.
    static func sentence(_ deleted: DeletedDeliveries, isDryRun: Bool) -> String? {
        guard deleted.runs > 0 else {
            guard deleted.continued > 0 else { return nil }
            let runs = Figures.count(deleted.continued, "run", "runs")
            return "What an earlier call had begun to delete of \(runs) is deleted."
        }
        let runs = Figures.count(deleted.runs, "run", "runs")
        let people = Figures.count(deleted.people, "person", "people")
        let verb = isDryRun ? "would be" : "were"
        return """
            Who \(runs) went to (\(people)) and what became of it \(verb) deleted, as the config's `retention` says; the \
            sums stay.
            """
    }
}
