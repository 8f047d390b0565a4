import CampaignCore
import Foundation
import GRDB
import StoreConformance
import TestSupport
import Testing

@testable import SQLiteDriver
@testable import Storage

@Suite(.bounded) struct ForgetTests: StoreFileSuite {
    private static let carol = Username(checked: "carol-the-forgotten")
    private static let people = ["alice", "bob", "carol-the-forgotten", "dave", "erin"]
        .map { Username(checked: $0) }

    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func opened() throws -> SQLiteStore { try SQLiteStore.open(at: path) }

    /// The store's files that contain a text.
    private func files(with text: String) throws -> [String] {
        try folder.contents().filter { name in
            try Data(contentsOf: URL(filePath: folder.file(name)))
                .range(of: Data(text.utf8)) != nil
        }
    }

    /// A store with a registration and a half-finished run that gave everybody a personal payload.
    private func halfDone() async throws -> SQLiteStore {
        let store = try opened()
        let test = try StoreUnderTest { store }
        try await test.stagePersonal(Self.people, of: Samples.run(platforms: [.apns, .fcm]))
        try await test.accept(1...2, of: Samples.runID())
        _ = try await store.claimNext(Samples.runID(), platform: .apns, limit: 1)
        try await store.record(
            [
                Samples.record(
                    3, .apns, .ended(.rejected), detail: "400: username:carol-the-forgotten is no",
                    hubMessage: "m-carol-the-forgotten")
            ], requests: 1, of: Samples.runID())
        try await store.issue("17-4", to: Self.carol, handle: nil, at: Samples.start)
        return store
    }

    @Test("People forgotten by an earlier version stay in reports")
    func peopleForgottenByAnEarlierVersionStayInReports() async throws {
        let test = try StoreUnderTest { try opened() }
        try await test.stage(
            inWavesOf: [2, 3], names: [2, 3, 0, 1, 4].map { Self.people[$0] })
        for person in [Self.people[0], Self.carol] {
            _ = try await test.store.forget(person, at: Samples.start)
        }
        try test.store.close()
        try await DatabaseQueue(path: path).write {
            try $0.execute(sql: EarlierSchema.withoutLastStep)
        }
        let later = try StoreUnderTest { try opened() }
        for page in [1, 2, 9] {
            let report = try await later.report(page: page)
            #expect(
                report.filter { $0.platform == .fcm }.map(\.recipient.text)
                    == ["", "", "bob", "dave", "erin"])
        }
    }

    @Test("A forgotten name leaves no trace in the store's files")
    func forgottenNameLeavesNoTraceInTheStoresFiles() async throws {
        let store = try await halfDone()
        #expect(try !files(with: Self.carol.text).isEmpty)
        let forgotten = try await store.forget(Self.carol, at: Samples.start + 600)
        #expect(forgotten.runs == 1)
        #expect(forgotten.payloads == 1)
        #expect(forgotten.registrations == 1)
        #expect(forgotten.isErased)
        #expect(try files(with: Self.carol.text) == [])
        try store.close()
        #expect(try files(with: Self.carol.text) == [])
    }

    /// Pages that were split while a large run was staged still contain copies of rows that have
    /// moved.
    @Test("A name forgotten from a large run leaves no trace")
    func nameForgottenFromALargeRunLeavesNoTrace() async throws {
        let store = try opened()
        let names = Samples.names(3_000)
        try await StoreUnderTest { store }.stagePersonal(names)
        for number in [1, 57, 1_500, 2_999, 3_000] {
            _ = try await store.forget(names[number - 1], at: Samples.start + 600)
            #expect(try files(with: names[number - 1].text) == [], "\(number)")
        }
        try await store.verify(Samples.runID())
    }

    @Test("Forgetting a person does not change totals or other people's data")
    func forgettingAPersonDoesNotChangeTotalsOrOtherPeoplesData() async throws {
        let store = try await halfDone()
        let test = try StoreUnderTest { store }
        let before = try await test.report()
        let outcomes = try await store.outcomes(Samples.runID())
        _ = try await store.forget(Self.carol, at: Samples.start + 600)
        try await store.verify(Samples.runID())
        #expect(try await store.check().damage == [])
        let after = try await test.report()
        #expect(after.count == before.count)
        for (old, new) in zip(before, after) where old.recipient != Self.carol {
            #expect(old == new)
        }
        let gone = after.filter { $0.recipient == .nameless }
        #expect(gone.map(\.outcome).sorted { $0.rawValue < $1.rawValue } == [.rejected, .skipped])
        #expect(gone.map(\.hubMessage) == [nil, nil])
        #expect(gone.contains { $0.detail == "400: username:" })
        let counts = try await store.outcomes(Samples.runID())
        #expect(counts[.accepted] == outcomes[.accepted])
        #expect(counts[.rejected] == outcomes[.rejected])
        #expect(counts[.skipped] == 1)
    }

    /// The store as left by a process that was killed while removing a staging.
    @Test("People from an unfinished staging are also forgotten")
    func peopleFromAnUnfinishedStagingAreAlsoForgotten() async throws {
        let store = try opened()
        let run = Samples.run()
        try await store.begin(run)
        try await store.append(Self.people.map { StagedRecipient(username: $0) }, to: run.id)
        try await store.write { db in
            try db.execute(sql: "DELETE FROM recipients WHERE number <= 2")
        }
        #expect(try await store.forget(Self.carol, at: Samples.start).runs == 1)
        #expect(try files(with: Self.carol.text) == [])
    }

    @Test("Forgotten people are recognised by a keyed hash")
    func forgottenPeopleAreRecognisedByAKeyedHash() async throws {
        let store = try opened()
        #expect(try await store.forgotten(among: Self.people) == [])
        #expect(try !folder.contents().contains("store.sqlite.forgotten.key"))
        _ = try await store.forget(Self.carol, at: Samples.start)
        #expect(try folder.mode("store.sqlite.forgotten.key") == 0o600)
        try store.close()
        let reader = try SQLiteStore.openForReading(at: path)
        #expect(try await reader.forgotten(among: Self.people) == [Self.carol])
    }

    @Test("Checking for forgotten people fails without the right key", arguments: [true, false])
    func checkingForForgottenPeopleFailsWithoutTheRightKey(isMissing: Bool) async throws {
        let store = try opened()
        _ = try await store.forget(Self.carol, at: Samples.start)
        let key = folder.file("store.sqlite.forgotten.key")
        try FileManager.default.removeItem(atPath: key)
        if !isMissing {
            try folder.write(
                Data(repeating: 7, count: 32).base64EncodedString(),
                to: "store.sqlite.forgotten.key", mode: 0o600)
        }
        let expected = StoreError.noForgottenKey(place, file: key)
        await #expect(throws: expected) { try await store.forgotten(among: Self.people) }
        await #expect(throws: expected) {
            try await store.forget(Self.people[0], at: Samples.start)
        }
    }
}
