import CampaignCore
import Foundation
import GRDB
import StoreConformance
import Synchronization
import TestSupport
import Testing

@testable import SQLiteDriver
@testable import Storage

@Suite(.bounded) struct RekeyTests: StoreFileSuite {
    private let old = PayloadKey.random()
    private let new = PayloadKey.random()

    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder(isInMemory: true) }

    /// A pace whose transactions have time for only one part, and that ends after the first
    /// transaction.
    private static var slowPace: WritePace {
        WritePace(most: 5_000, clock: TickingClock(tick: .seconds(1)))
    }

    /// Opens the store with both keys.
    private func openedWithBoth(_ options: StoreOptions = StoreOptions()) throws -> SQLiteStore {
        var options = options
        options.payloadKey = .given(new, earlier: [old])
        return try SQLiteStore.open(at: path, options: options)
    }

    /// Stages payloads encrypted with the old key, one per person.
    private func stage(_ people: Int, _ suffixes: String...) async throws {
        let store = try SQLiteStore.open(at: path, options: StoreOptions(payloadKey: .given(old)))
        for suffix in suffixes {
            try await StoreUnderTest { store }.stagePersonal(
                Samples.names(people), of: Samples.run(suffix, campaign: suffix))
        }
        try store.close()
    }

    @Test("A run with nothing to re-encrypt needs no transaction")
    func runWithNothingToReEncryptNeedsNoTransaction() async throws {
        try await stage(3, "aaaaaa")
        let both = try openedWithBoth(StoreOptions(busyTimeout: .milliseconds(20)))
        // This run has no encrypted payloads.
        try await StoreUnderTest { both }.stage(
            Samples.names(3), of: Samples.run("bbbbbb", campaign: "b"))
        let cipher = try await both.sealingCipher()
        try await both.write { db in
            guard let values = try PayloadKeyring.checkValue(db) else { return }
            try PayloadKeyring.keep(cipher.leading(values), db)
        }
        let runs = try await both.read {
            try Int64.fetchAll($0, sql: "SELECT key FROM runs ORDER BY key")
        }
        var pace = Self.slowPace
        var rekeyed = RekeyedPayloads()
        try await both.rekey(runs[0], cipher, &rekeyed, pace: &pace) { _ in }
        #expect(rekeyed.payloads == 3)

        let writer = try transaction("BEGIN IMMEDIATE")
        // One run was already re-encrypted; the other was never encrypted.
        for run in runs {
            try await both.rekey(run, cipher, &rekeyed, pace: &pace) { _ in }
        }
        #expect(rekeyed.payloads == 3)
        try writer.inDatabase { try $0.execute(sql: "COMMIT") }
    }

    @Test("Re-encryption skips finished rows without blocking writers")
    func reEncryptionSkipsFinishedRowsWithoutBlockingWriters() async throws {
        try await stage(300, "aaaaaa")
        let first = try openedWithBoth()
        let done = Mutex(0)
        await #expect(throws: CancellationError.self) {
            try await first.rekey(pace: Self.slowPace) { count in done.withLock { $0 = count } }
        }
        #expect(done.withLock(\.self) == WriteBatch.rows)
        try first.close()

        let second = try openedWithBoth()
        // How many times the writing connection checks which key encrypted a payload.
        let looks = Mutex(0)
        try await second.pool.writeWithoutTransaction { db in
            db.add(
                function: DatabaseFunction("substr", argumentCount: 3) { values in
                    looks.withLock { $0 += 1 }
                    return Data.fromDatabaseValue(values[0])?
                        .prefix(Int.fromDatabaseValue(values[2]) ?? 0)
                })
            _ = try Data.fetchOne(db, sql: "SELECT substr(x'0102', 1, 1)")
        }
        // The counter works.
        #expect(looks.withLock(\.self) == 1)
        let rest = try await second.rekey { _ in }
        #expect(rest.payloads == 300 - WriteBatch.rows)
        #expect(rest.isComplete)
        #expect(looks.withLock(\.self) == 1)
        try second.close()
        let after = try SQLiteStore.open(at: path, options: StoreOptions(payloadKey: .given(new)))
        try await after.checkPayloadKey()
        #expect(try await after.check().damage == [])
    }

    @Test("Others can write between the re-encryption of two small runs")
    func othersCanWriteBetweenTheReEncryptionOfTwoSmallRuns() async throws {
        try await stage(3, "aaaaaa", "bbbbbb")
        let both = try openedWithBoth()
        let done = Mutex<[Int]>([])
        await #expect(throws: CancellationError.self) {
            try await both.rekey(pace: Self.slowPace) { count in
                done.withLock { $0.append(count) }
            }
        }
        #expect(done.withLock(\.self) == [3])
        // One run remains; neither the other run nor the end needs a pause for other writers.
        let rest = try await both.rekey(pace: Self.slowPace) { _ in }
        #expect(rest.payloads == 3)
        #expect(rest.isComplete)
    }
}
