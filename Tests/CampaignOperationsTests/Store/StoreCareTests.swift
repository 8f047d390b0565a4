import CampaignCore
import SQLiteStorage
import Settings
import Storage
import TestSupport
import Testing

@testable import CampaignOperations

/// What is said of a store that was backed up or checked.
@Suite(.bounded) struct StoreCareTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func settings() throws -> EffectiveSettings {
        try EffectiveSettings.load(
            SettingFlags(store: folder.file("store.sqlite")), campaigns: [],
            invocation: Invocation(environment: [:], currentFolder: folder.path))
    }

    @Test func aBackupSaysHowLargeItIsAndWhatIsNotInIt() {
        #expect(
            StoreCopy.sentences("b.sqlite", size: 123_456, key: nil)
                == ["The store was copied to b.sqlite (123.5 kB)."])
        let sentences = StoreCopy.sentences("b.sqlite", size: 123_456, key: "/s/store.sqlite.key")
        #expect(sentences.count == 2)
        #expect(sentences[1].contains("/s/store.sqlite.key, which is not in it"))
    }

    @Test func aBackupIsMadeWhereItsNameSaysFromTheCurrentFolder() async throws {
        try SQLiteStore.open(at: folder.file("store.sqlite")).close()
        try await StoreCopy(try settings(), isQuiet: true).write(to: "b.sqlite", isReplacing: false)
        #expect(try folder.contents().contains("b.sqlite"))
    }

    @Test func noBackupIsMadeOfAStoreThatIsNotThere() async throws {
        let copy = StoreCopy(try settings(), isQuiet: true)
        await #expect(throws: StoreError.notFound(.store(path: folder.file("store.sqlite")))) {
            try await copy.write(to: "b.sqlite", isReplacing: false)
        }
        #expect(try folder.contents() == [])
    }

    @Test func aWholeStoreIsCheckedWithoutAFault() async throws {
        try SQLiteStore.open(at: folder.file("store.sqlite")).close()
        try await StoreInspection(try settings(), isQuiet: true).run()
        var health = StoreHealth(bytes: 20_480)
        health.runs = 1
        health.recipients = 1_200
        health.outcomes = 2_400
        #expect(
            StoreInspection.sentence(health, of: .store(path: "/s/store.sqlite"))
                == """
                The store /s/store.sqlite is whole: 1 run, 1,200 recipients, what became of \
                2,400 deliveries, 0 registrations; 20.5 kB.
                """)
    }

    @Test func aDamagedStoreSaysWhatToDoAndFiveOfItsFaults() {
        let faults = (1...7).map { StoreFault.structure("SQLite: page \($0)") }
        let fault = OperationFault.damagedStore(.store(path: "/s/store.sqlite"), faults)
        #expect(fault.description.contains("Put a backup in its place"))
        #expect(fault.details.split(separator: "\n").count == 6)
        #expect(fault.details.hasPrefix("  SQLite: page 1\n"))
    }
}
