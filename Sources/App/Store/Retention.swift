import CampaignCore
import CampaignFormat
import Foundation
import Storage

/// Deletes data of runs that is older than the config's `retention`.
///
/// The retention can be applied every minute. If there is nothing to delete, it reads only a few
/// pages. Other writers wait only a few hundredths of a second.
struct Retention: Sendable {
    struct Deleted: Hashable, Sendable {
        var payloads = PurgeCounts()
        var deliveries = DeletedDeliveries()
        /// The space that was freed in the store's file.
        var space = StoreSpace()

        var isNotEmpty: Bool { payloads != PurgeCounts() || deliveries != DeletedDeliveries() }
    }

    private let times: RetentionTimes

    init(_ times: RetentionTimes) {
        self.times = times
    }

    /// Deletes data that is older than the settings allow; does nothing without `retention`.
    ///
    /// If a call is interrupted, the next one continues its work.
    static func apply(
        _ settings: EffectiveSettings, to store: any Store, now: Date
    ) async throws -> Deleted {
        let retention = Retention(settings.retention)
        var deleted = Deleted()
        deleted.payloads = try await retention.deletePayloads(in: store, now: now)
        deleted.deliveries = try await retention.deleteDeliveries(in: store, now: now)
        if deleted.isNotEmpty { deleted.space = try await store.giveSpaceBack(isBrief: true) }
        return deleted
    }

    private func deletePayloads(in store: any Store, now: Date) async throws -> PurgeCounts {
        guard let time = times.payloads else { return PurgeCounts() }
        return try await store.purgePayloads(ofRunsEndedBy: now - time / .seconds(1), at: now)
    }

    /// Deletes deliveries, but not payloads, and does not shrink the file; a dry run only counts.
    func deleteDeliveries(
        in store: any Store, now: Date, isDryRun: Bool = false
    ) async throws -> DeletedDeliveries {
        guard let time = times.deliveries else { return DeletedDeliveries() }
        return try await store.deleteDeliveries(
            ofRunsEndedBy: now - time / .seconds(1), at: now, isDryRun: isDryRun)
    }

    /// A sentence about deleted deliveries; nil if nothing was deleted.
    static func sentence(_ deleted: DeletedDeliveries, isDryRun: Bool) -> String? {
        guard deleted.runs > 0 else {
            guard deleted.continued > 0 else { return nil }
            let runs = Figures.count(deleted.continued, "run", "runs")
            return "The deletion that an earlier command began for \(runs) is complete."
        }
        let runs = Figures.count(deleted.runs, "run", "runs")
        let people = Figures.count(deleted.people, "person", "people")
        let verb = isDryRun ? "would be" : "were"
        return """
            The recipients (\(people)) and outcomes of \(runs) \(verb) deleted, as the config's \
            `retention` says; the totals are kept.
            """
    }
}
