import CampaignCore
import TestSupport
import Testing

@testable import App
@testable import SQLiteDriver
@testable import Storage

@Suite(.bounded) struct StoreCareTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func settings() throws -> EffectiveSettings {
        try EffectiveSettings.load(in: folder)
    }

    @Test("A backup reports its size and that the payload key is not in it")
    func backupReportsItsSizeAndThatThePayloadKeyIsNotInIt() {
        #expect(
            StoreCopy.sentences("b.sqlite", size: 123_456, key: nil)
                == ["The store was copied to b.sqlite (123.5 kB)."])
        let sentences = StoreCopy.sentences("b.sqlite", size: 123_456, key: "/s/store.sqlite.key")
        #expect(sentences.count == 2)
        #expect(sentences[1].contains("/s/store.sqlite.key, which is not in the backup"))
    }

    @Test("A backup's name is relative to the current folder")
    func backupsNameIsRelativeToTheCurrentFolder() async throws {
        try SQLiteStore.open(at: folder.file("store.sqlite")).close()
        try await StoreCopy(try settings(), isQuiet: true).write(to: "b.sqlite", isReplacing: false)
        #expect(try folder.contents().contains("b.sqlite"))
    }

    @Test("A missing store is not backed up") func missingStoreIsNotBackedUp() async throws {
        let copy = StoreCopy(try settings(), isQuiet: true)
        await #expect(throws: StoreError.notFound(.store(path: folder.file("store.sqlite")))) {
            try await copy.write(to: "b.sqlite", isReplacing: false)
        }
        #expect(try folder.contents() == [])
    }

    @Test(
        "A server's store is read with a key from variables, without running commands",
        arguments: [
            ("HUBSEND_PAYLOAD_KEY", true), ("HUBSEND_PAYLOAD_KEY_FILE", true),
            ("HUBSEND_PAYLOAD_KEY_COMMAND", false),
        ])
    func serversStoreIsReadWithAKeyFromVariablesWithoutRunning(
        variable: String, isGiven: Bool
    ) async throws {
        let key = String(repeating: "07", count: 32)
        try folder.write(key, to: "key", mode: 0o600)
        let values = [
            "HUBSEND_PAYLOAD_KEY": key, "HUBSEND_PAYLOAD_KEY_FILE": folder.file("key"),
            "HUBSEND_PAYLOAD_KEY_COMMAND": "touch \(folder.file("ran")); echo \(key)",
        ]
        for (store, counts) in [
            ("postgresql://db.example/hubsend", isGiven), (folder.file("store.sqlite"), false),
        ] {
            let settings = try EffectiveSettings.load(
                in: folder, store: store, [variable: try #require(values[variable])])
            let source = try await settings.readingOptions().payloadKey
            let isFromEnvironment = if case .given = source { true } else { false }
            #expect(isFromEnvironment == counts)
        }
        #expect(try !folder.contents().contains("ran"))
    }

    @Test("With the wrong payload key, no secure campaign can start")
    func withTheWrongPayloadKeyNoSecureCampaignCanStart() async throws {
        var options = StoreOptions()
        options.payloadKey = .given(.random())
        let path = folder.file("store.sqlite")
        let store = try SQLiteStore.open(at: path, options: options)
        _ = try await store.sealingCipher()
        try await store.requirePayloadKey(for: [.secure])
        try store.close()
        options.payloadKey = .given(.random())
        let other = try SQLiteStore.open(at: path, options: options)
        try await other.requirePayloadKey(for: [.alert, .rich])
        await #expect(throws: StoreError.self) {
            try await other.requirePayloadKey(for: [.alert, .secure])
        }
        try other.close()
    }

    @Test("An intact store passes the check") func intactStorePassesTheCheck() async throws {
        try SQLiteStore.open(at: folder.file("store.sqlite")).close()
        try await StoreInspection(try settings(), isQuiet: true).run()
        var health = StoreHealth(bytes: 20_480)
        health.runs = 1
        health.recipients = 1_200
        health.outcomes = 2_400
        #expect(
            StoreInspection.sentence(health, of: .store(path: "/s/store.sqlite"))
                == """
                The store /s/store.sqlite is intact: 1 run, 1,200 recipients, 2,400 outcomes, 0 registrations; 20.5 kB.
                """)
    }

    @Test(
        "The check reports whether the server has checksums enabled",
        arguments: [(true, "keeps checksums"), (false, "keeps no checksums")])
    func checkReportsWhetherTheServerHasChecksumsEnabled(hasChecksums: Bool, words: String) {
        let health = StoreHealth(bytes: 20_480, hasChecksums: hasChecksums)
        let sentence = StoreInspection.sentence(health, of: .server("postgresql://db.example/h"))
        #expect(sentence.contains("is intact: 0 runs"))
        #expect(sentence.contains("; 20.5 kB. The server \(words) of its pages"))
    }

    @Test("For a damaged store, five problems are listed with what to do")
    func forADamagedStoreFiveProblemsAreListedWithWhatToDo() {
        let faults = (1...7).map { StoreDamage.structure("SQLite: page \($0)") }
        let fault = Refused.damaged(.store(path: "/s/store.sqlite"), faults)
        #expect(fault.description.contains("Restore a backup"))
        #expect(fault.details.split(separator: "\n").count == 6)
        #expect(fault.details.hasPrefix("  SQLite: page 1\n"))
    }
}
