import CampaignCore

extension StoreUnderTest {
    /// Begins a run and stages people wave by wave, with one shared notification.
    @discardableResult
    func stage(
        inWaves waves: [[Username]], of run: RunRecord = Samples.run()
    ) async throws -> NotificationID {
        let notification = Samples.notification()
        let people = waves.flatMap(\.self)
        try await store.begin(run)
        try await store.store(Self.waves(of: waves.map(\.count)), of: run.id)
        try await store.store(notification, of: run.id)
        try await store.append(people.map { StagedRecipient(username: $0) }, to: run.id)
        try await store.finishStaging(run.id, counts: AudienceCounts(final: people.count))
        return notification.id
    }

    /// Waves of some sizes, each an hour behind the one before.
    static func waves(of sizes: [Int]) -> [RunWave] {
        var last = 0
        return sizes.enumerated().map { index, size in
            let first = last + 1
            last += size
            return RunWave(
                number: index + 1, recipients: first...last,
                turn: Turn(windows: [Turn.Window(opens: 1_796_112_000 + 3_600 * index)]),
                zones: ["Etc/GMT+\(index)"])
        }
    }
}
