package import CampaignCore
package import FoundationEssentials
package import Storage
import Testing

package struct StoreUnderTest: Sendable {
    package typealias Store = Storage.Store

    package let store: any Store
    /// Opens the same data again, like another process or after a crash.
    package let reopen: @Sendable () throws -> any Store
    package var open: @Sendable (PayloadKeySource) throws -> any Store

    package init(reopen: @escaping @Sendable () throws -> any Store) throws {
        self.store = try reopen()
        self.reopen = reopen
        open = { _ in try reopen() }
    }

    @discardableResult
    package func stage(
        _ names: [Username], of run: RunRecord = Samples.run(),
        notification: NewNotification = Samples.notification()
    ) async throws -> NotificationID {
        try await store.begin(run)
        try await store.store(notification, of: run.id)
        try await store.append(names.map { StagedRecipient(username: $0) }, to: run.id)
        try await store.finishStaging(run.id, counts: AudienceCounts(final: names.count))
        return notification.id
    }

    /// Begins a run and stages people wave by wave (nil means in name order), with one shared
    /// notification.
    @discardableResult
    package func stage(
        inWavesOf sizes: [Int], names: [Username]? = nil, of run: RunRecord = Samples.run(),
        withholding platforms: [Int: Set<Platform>] = [:]
    ) async throws -> NotificationID {
        let notification = Samples.notification()
        let names = names ?? Samples.names(sizes.reduce(0, +))
        try await store.begin(run)
        try await store.store(notification, of: run.id)
        try await store.store(Samples.waves(sizes), of: run.id)
        try await store.append(
            names.enumerated().map { index, name in
                StagedRecipient(username: name, withheld: platforms[index + 1] ?? [])
            }, to: run.id)
        try await store.finishStaging(run.id, counts: AudienceCounts(final: names.count))
        return notification.id
    }

    /// Begins a run and stages people with a notification each, whose text names them.
    @discardableResult
    package func stagePersonal(
        _ names: [Username], of run: RunRecord = Samples.run(), file: PayloadFile? = nil
    ) async throws -> [NotificationID] {
        let recipients = names.map { name in
            StagedRecipient(
                username: name,
                notification: Samples.notification(
                    "dear \(name)", type: "t-\(name)",
                    content: file.map(StoredContent.file)
                        ?? .text("only for \(name)", mediaType: "text/plain")))
        }
        try await store.begin(run)
        try await store.append(recipients, to: run.id)
        try await store.finishStaging(run.id, counts: AudienceCounts(final: names.count))
        return recipients.compactMap(\.notification?.id)
    }

    package func accept(
        _ numbers: ClosedRange<Int>, of run: RunID, on platform: Platform = .apns
    ) async throws {
        _ = try await store.claimNext(run, platform: platform, limit: numbers.upperBound)
        try await store.record(
            numbers.map { Samples.record($0, platform, .ended(.accepted)) },
            requests: numbers.count, of: run)
    }

    package func receive(
        _ id: NotificationID, _ kinds: [Receipt.Kind], by name: Username,
        at time: Date = Samples.start + 120
    ) async throws {
        let received = try #require(try await store.notification(id, for: name))
        try await store.record(kinds.map { Receipt(place: received.place, kind: $0, time: time) })
    }

    package func report(_ run: RunID = Samples.runID(), page: Int = 100) async throws -> [ReportRow]
    {
        var rows: [ReportRow] = []
        var last = 0
        while true {
            let next = try await store.reportPage(run, after: last, recipients: page)
            if next.rows.isEmpty { return rows }
            rows += next.rows
            last = next.last
        }
    }

    /// Runs every query that commands make about a run.
    package func read(_ run: RunRecord, for names: [Username]) async throws {
        let id = run.id
        try await store.verify(id)
        #expect(try await store.check().damage.isEmpty)
        _ = try await (
            store.outcomes(id), store.platformOutcomes(id), store.waveOutcomes(id),
            store.reach(id), store.reasons(id, limit: 9), store.peopleTried(id),
            store.course(id, steps: 9), store.waves(id)
        )
        for name in [names[0], names[names.count / 2], names[names.count - 1]] {
            _ = try await store.reportRows(id, of: name)
            _ = try await store.notifications(
                for: name, isUnread: false, after: nil, limit: 9, at: Samples.start)
        }
        _ = try await store.reportPage(id, after: 0, recipients: 5_000)
        _ = try await store.people(of: id, with: nil, fetched: nil, after: 0, recipients: 5_000)
        _ = try await store.people(
            of: id, with: [.failed], fetched: true, after: 0, recipients: 5_000)
        _ = try await store.unreached(of: id, with: [.failed], after: 0, recipients: 5_000)
        _ = try await store.overviews(run: id, after: nil, limit: 9)
        for platform in run.platforms {
            _ = try await store.interrupted(id, platform: platform, after: 0, limit: 9)
            _ = try await store.unclaimed(id, platform: platform, after: 0, limit: 9)
            _ = try await store.untold(id, platform: platform, after: 0, limit: 9)
        }
    }
}
