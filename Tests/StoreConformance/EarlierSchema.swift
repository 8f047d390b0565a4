import CampaignCore
import Storage
import Testing

package enum EarlierSchema {
    /// Removes everything added by the last step of a file's schema; no delivery may have been
    /// skipped yet, because the run's checksums would differ.
    package static let withoutLastStep = """
        DROP INDEX run_sums_unfinished;
        DROP INDEX recipients_forgotten;
        ALTER TABLE recipients DROP COLUMN place;
        ALTER TABLE deliveries DROP COLUMN skip_reason;
        ALTER TABLE registrations DROP COLUMN username;
        ALTER TABLE runs DROP COLUMN has_waves;
        DELETE FROM grdb_migrations WHERE identifier = 'as on a server';
        """

    /// The same for a store on a server, without changes to rows.
    package static let withoutLastStepOnServer = """
        ALTER TABLE deliveries DROP COLUMN skip_reason;
        UPDATE hubsend_schema SET version = version - 1, least_version = version - 1;
        """
}

extension StoreUnderTest {
    /// Unfinished runs of the previous version are continued, and nobody is sent to twice.
    ///
    /// - Parameter undo: removes everything added by the last step of the schema, while the store
    ///   is closed.
    package func continueRunsOfTheVersionBefore(_ undo: () async throws -> Void) async throws {
        let plain = Samples.run("aaaaaa", campaign: "a", platforms: [.apns])
        try await stage(Samples.names(9), of: plain)
        try await accept(1...3, of: plain.id)
        _ = try await store.claimNext(plain.id, platform: .apns, limit: 3)
        try await store.record(
            [Samples.record(4, .apns, .waiting, detail: "HTTP 503")], requests: 1, of: plain.id)
        let inWaves = Samples.run("bbbbbb", campaign: "b", platforms: [.apns])
        try await stage(inWavesOf: [3, 4], of: inWaves)
        _ = try await store.claimNext(inWaves.id, platform: .apns, wave: 1, limit: 2)
        try await store.record(
            (1...2).map { Samples.record($0, .apns, .ended(.accepted)) }, requests: 2,
            of: inWaves.id)
        let unstaged = Samples.run("cccccc", campaign: "c", platforms: [.apns])
        try await store.begin(unstaged)
        try store.close()
        try await undo()

        let later = try reopen()
        for run in [plain, inWaves] {
            try await later.verify(run.id)
            try await later.setState(.running, reason: nil, of: run.id, at: Samples.start)
        }
        #expect(try await later.check().damage.isEmpty)
        let interrupted = try await later.interrupted(
            plain.id, platform: .apns, after: 0, limit: 9)
        #expect(interrupted.map(\.number) == [5, 6])
        let waiting = try await later.waiting(plain.id, platform: .apns, after: 0, limit: 9)
        #expect(waiting.map(\.number) == [4])
        try await later.claimAgain(plain.id, platform: .apns, numbers: [4], at: Samples.start)
        var claimed = [plain.id: [4, 5, 6]]
        for (run, wave) in [(plain, nil), (inWaves, 1), (inWaves, 2)] as [(RunRecord, Int?)] {
            claimed[run.id, default: []] += try await later.claimNext(
                run.id, platform: .apns, wave: wave, limit: 9, cap: nil, at: Samples.start
            ).claims.map(\.number)
        }
        #expect(claimed == [plain.id: Array(4...9), inWaves.id: Array(3...7)])
        for (run, count) in [(plain, 9), (inWaves, 7)] {
            var records = claimed[run.id, default: []].map {
                Samples.record($0, .apns, .ended(.accepted))
            }
            records[0] = Samples.skipped(records[0].number, .apns, .revoked)
            try await later.record(records, requests: records.count, of: run.id)
            try await later.verify(run.id)
            var expected = OutcomeCounts([.accepted: count - 1, .skipped: 1])
            expected.revoked = 1
            #expect(try await later.outcomes(run.id) == expected)
        }
        try await later.store(Samples.notification(), of: unstaged.id)
        try await later.append(
            Samples.names(2).map { StagedRecipient(username: $0) }, to: unstaged.id)
        try await later.finishStaging(unstaged.id, counts: AudienceCounts(final: 2))
        #expect(try await later.check().damage.isEmpty)
        try later.close()
    }
}
