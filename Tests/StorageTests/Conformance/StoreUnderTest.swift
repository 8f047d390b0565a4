import CampaignCore

/// A store that the conformance suite is run against.
struct StoreUnderTest: Sendable {
    typealias Store = RunLedger & NotificationStore & RegistrationStore

    let store: any Store
    /// Opens the same data again, as another process or one after a crash would.
    let reopen: @Sendable () throws -> any Store

    init(reopen: @escaping @Sendable () throws -> any Store) throws {
        self.store = try reopen()
        self.reopen = reopen
    }

    /// Begins a run and stages people with one shared notification.
    func stage(_ names: [Username], of run: RunRecord = Samples.run()) async throws {
        try await store.begin(run)
        try await store.store(Samples.notification(), of: run.id)
        try await store.append(names.map { StagedRecipient(username: $0) }, to: run.id)
        try await store.finishStaging(run.id, counts: AudienceCounts(final: names.count))
    }

    /// Every row of a run's report.
    func report(_ run: RunID = Samples.runID(), page: Int = 100) async throws -> [ReportRow] {
        var rows: [ReportRow] = []
        var last = 0
        while true {
            let next = try await store.reportPage(run, after: last, recipients: page)
            if next.rows.isEmpty { return rows }
            rows += next.rows
            last = next.last
        }
    }
}
