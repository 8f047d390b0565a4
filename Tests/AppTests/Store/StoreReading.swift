import CampaignCore
import Foundation
import Storage
import StoreConformance

/// The runs, people and devices of a store; two readings are equal if the stores have the same
/// content.
struct StoreReading: Equatable {
    private struct Run: Equatable {
        let record: RunRecord
        let waves: [RunWave]
        let stopRequest: StopMode?
        var standings: [WaveOutcomes] = []
        var outcomes = OutcomeCounts()
        var platforms: [PlatformOutcomes] = []
        var tried = 0
        var reach: Reach?
        var reasons: [TroubleReason] = []
        var overviews: [NotificationOverview] = []
        var notifications: [StoredNotification?] = []
        var rows: [ReportRow] = []
        var interrupted: [[DeliveryClaim]] = []
        var waiting: [[DeliveryClaim]] = []
        var unclaimed: [[Username]] = []
    }

    /// A notification as one person gets it.
    private struct Received: Equatable {
        let notification: StoredNotification
        let byteCount: Int?
        let fetched: Date?
        let read: Date?

        init(_ received: ReceivedNotification) {
            // `place` is left out, because it differs between stores.
            notification = received.notification
            byteCount = received.byteCount
            fetched = received.fetched
            read = received.read
        }
    }

    private var runs: [Run] = []
    private var received: [[Received]] = []
    private var registrations: [[DeviceRegistration]] = []
    private var forgotten: Set<Username>
    private var troubles: Set<String>

    /// - Parameter people: the people whose payloads and devices are read.
    init(_ store: any Store, people: [Username]) async throws {
        forgotten = try await store.forgotten(among: people)
        troubles = try await store.reportedTroubles()
        for record in try await store.runs(campaign: nil, limit: 100) {
            runs.append(try await Self.read(record, in: store))
        }
        for person in people {
            received.append(
                try await store.notifications(
                    for: person, isUnread: false, after: nil, limit: 100, at: Samples.start + 60
                ).map(Received.init))
            registrations.append(
                try await store.registrations(of: person, handle: nil, limit: 100))
        }
    }

    var runCount: Int { runs.count }

    /// The differences between runs, each with the campaign, the property, and the text starting at
    /// the first difference.
    func differences(from other: StoreReading) -> [String] {
        guard self != other else { return [] }
        let found = zip(runs, other.runs).flatMap { run, others -> [String] in
            guard run != others else { return [] }
            return zip(Mirror(reflecting: run).children, Mirror(reflecting: others).children)
                .compactMap { part, its in
                    let (one, two) = (String(reflecting: part.value), String(reflecting: its.value))
                    // Sorted, because a dictionary has no order.
                    guard one.sorted() != two.sorted() else { return nil }
                    let same = one.commonPrefix(with: two).count
                    return """
                        \(run.record.campaign).\(part.label ?? ""): \(one.dropFirst(same).prefix(80)) instead of \
                        \(two.dropFirst(same).prefix(80))
                        """
                }
        }
        return found.isEmpty ? ["something other than the runs"] : found
    }

    private static func read(_ record: RunRecord, in store: any Store) async throws -> Run {
        let id = record.id
        var run = Run(
            record: record, waves: try await store.waves(id),
            stopRequest: try await store.stopRequest(id))
        // A run in staging is staged again from the start, so its rows are not compared.
        guard record.state != .staging else { return run }
        run.standings = try await store.waveOutcomes(id)
        run.outcomes = try await store.outcomes(id)
        run.platforms = try await store.platformOutcomes(id)
        run.tried = try await store.peopleTried(id)
        run.reach = try await store.reach(id)
        run.reasons = try await store.reasons(id, limit: 9)
        run.overviews = try await store.overviews(run: id, after: nil, limit: 100)
        for overview in run.overviews {
            run.notifications.append(try await store.notification(overview.id))
        }
        // If the deliveries were deleted, there is nothing to read.
        guard record.deliveriesDeleted == nil else { return run }
        var last = 0
        while true {
            let page = try await store.reportPage(id, after: last, recipients: 4_000)
            if page.rows.isEmpty { break }
            run.rows += page.rows
            last = page.last
        }
        for platform in record.platforms {
            run.interrupted.append(
                try await store.interrupted(id, platform: platform, after: 0, limit: 100))
            run.waiting.append(
                try await store.waiting(id, platform: platform, after: 0, limit: 100))
            run.unclaimed.append(
                try await store.unclaimed(id, platform: platform, after: 0, limit: 100).people)
        }
        return run
    }
}
