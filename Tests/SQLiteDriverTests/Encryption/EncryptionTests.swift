import CampaignCore
import Foundation
import GRDB
import StoreConformance
import Synchronization
import TestSupport
import Testing

@testable import SQLiteDriver
@testable import Storage

@Suite(.bounded) struct EncryptionTests: StoreFileSuite {
    private static let secret = "open sesame 4711"

    let folder: TemporaryFolder
    private let names = Samples.names(3)

    init() throws { folder = try TemporaryFolder() }

    private var secure: RunRecord { Samples.run(kind: .secure, platforms: [.apns]) }

    private var secretText: NewNotification {
        Samples.notification(nil, type: nil, content: .text(Self.secret, mediaType: "text/plain"))
    }

    private func stage(_ store: SQLiteStore) async throws -> NotificationID {
        try await StoreUnderTest { store }.stage(names, of: secure, notification: secretText)
    }

    /// Whether the store's file or its log contains these bytes.
    private func isInFiles(_ text: String) throws -> Bool {
        for name in try folder.contents() where !name.hasSuffix(".key") {
            let bytes = try Data(contentsOf: URL(filePath: folder.file(name)))
            if bytes.range(of: Data(text.utf8)) != nil { return true }
        }
        return false
    }

    @Test("Secret text never appears in the store's files")
    func secretTextNeverAppearsInTheStoresFiles() async throws {
        let store = try SQLiteStore.open(at: path)
        let id = try await stage(store)
        #expect(try !isInFiles(Self.secret))
        let digest = Hexadecimal.bytes(try #require(try await store.notification(id)?.digest))
        for content in try await store.read({ try Data.fetchAll($0, sql: Self.everyBlob) }) {
            #expect(content != Data(digest ?? []))
        }
        try store.close()
        #expect(try !isInFiles(Self.secret))
        let again = try SQLiteStore.open(at: path)
        let received = try await again.notification(id, for: names[0])
        #expect(received?.notification.bytes == Array(Self.secret.utf8))
    }

    private static let everyBlob = """
        SELECT sealed FROM notifications WHERE sealed IS NOT NULL
        UNION ALL SELECT digest FROM contents UNION ALL SELECT check_value FROM payload_key
        """

    @Test("A payload that no key decrypts is kept, and so is the earlier key")
    func payloadThatNoKeyDecryptsIsKeptAndSoIsTheEarlierKey() async throws {
        let (old, new) = (PayloadKey.random(), PayloadKey.random())
        let before = try SQLiteStore.open(at: path, options: StoreOptions(payloadKey: .given(old)))
        _ = try await stage(before)
        try await before.write { db in
            try db.execute(sql: "UPDATE notifications SET sealed = zeroblob(60)")
        }
        let both = try SQLiteStore.open(
            at: path, options: StoreOptions(payloadKey: .given(new, earlier: [old])))
        let rekeyed = try await both.rekey { _ in }
        #expect(rekeyed.unreadable == 1)
        #expect(!rekeyed.isComplete)
        let alone = try SQLiteStore.open(at: path, options: StoreOptions(payloadKey: .given(new)))
        await #expect(throws: StoreError.wrongPayloadKey(alone.place, file: path + ".key")) {
            try await alone.checkPayloadKey()
        }
    }

    /// Each of these payloads takes up more than a page of the log.
    @Test("Re-encryption needs little more space than one transaction")
    func reEncryptionNeedsLittleMoreSpaceThanOneTransaction() async throws {
        let (old, new) = (PayloadKey.random(), PayloadKey.random())
        let before = try SQLiteStore.open(at: path, options: StoreOptions(payloadKey: .given(old)))
        let text = PayloadFile(
            path: "a.txt", mediaType: "text/plain",
            bytes: Array(String(repeating: "long ", count: 240).utf8))
        let people = Samples.names(2_000)
        let ids = try await StoreUnderTest { before }.stagePersonal(people, of: secure, file: text)
        try before.close()

        let both = try SQLiteStore.open(
            at: path, options: StoreOptions(payloadKey: .given(new, earlier: [old])))
        let log = path + "-wal"
        let largest = Mutex(0)
        let rekeyed = try await both.rekey { _ in
            let size = try? FileManager.default.attributesOfItem(atPath: log)[.size] as? Int
            largest.withLock { $0 = max($0, size ?? .max) }
        }
        #expect(rekeyed.isComplete)
        #expect(rekeyed.payloads == people.count)
        #expect((1...both.pace.mostBytes * 3 / 2).contains(largest.withLock(\.self)))
        try both.close()
        let after = try SQLiteStore.open(at: path, options: StoreOptions(payloadKey: .given(new)))
        #expect(try await after.notification(ids[1_999], for: people[1_999]) != nil)
    }

    @Test("The key file next to the store can contain several keys")
    func keyFileNextToTheStoreCanContainSeveralKeys() async throws {
        let first = try SQLiteStore.open(at: path)
        let id = try await stage(first)
        let file = path + ".key"
        let old = try String(contentsOfFile: file, encoding: .utf8)
        try folder.write(
            PayloadKey.random().encoded + "\n" + old, to: "store.sqlite.key", mode: 0o600)
        let both = try SQLiteStore.open(at: path)
        #expect(try await both.rekey { _ in }.payloads == 1)
        #expect(try await both.notification(id)?.bytes == Array(Self.secret.utf8))
    }

    @Test("The content of a secret file never appears in the store's files")
    func contentOfASecretFileNeverAppearsInTheStoresFiles() async throws {
        let store = try SQLiteStore.open(at: path)
        let bytes = Array(String(repeating: Self.secret, count: 1_000).utf8)
        let file = PayloadFile(path: "a.pdf", mediaType: "application/pdf", bytes: bytes)
        let id = try await StoreUnderTest { store }.stage(
            names, of: secure,
            notification: Samples.notification(nil, type: nil, content: .file(file)))
        #expect(try !isInFiles(Self.secret))
        let contents = try await store.read {
            try Int.fetchOne($0, sql: "SELECT count(*) FROM contents")
        }
        #expect(contents == 0)
        let received = try await store.notification(id, for: names[2])
        #expect(received?.notification.bytes == bytes)
        #expect(received?.notification.mediaType == "application/pdf")
    }

    @Test("Personal text never appears in the store's files")
    func personalTextNeverAppearsInTheStoresFiles() async throws {
        let store = try SQLiteStore.open(at: path)
        let test = try StoreUnderTest { store }
        let ids = try await test.stagePersonal(names)
        for text in ["dear user-", "only for user-", "t-user-"] { #expect(try !isInFiles(text)) }
        let claims = try await store.claimNext(Samples.runID(), platform: .apns, limit: 9)
        #expect(claims.map(\.pushed.texts.message) == names.map { "dear \($0)" })
        #expect(claims.map(\.pushed.type) == names.map { "t-\($0)" })
        #expect(claims.map(\.notification) == ids)
    }

    @Test("A purged text leaves no trace in the store's files")
    func purgedTextLeavesNoTraceInTheStoresFiles() async throws {
        let store = try SQLiteStore.open(at: path)
        let test = try StoreUnderTest { store }
        for index in 0..<20 {
            try await test.stage(
                names,
                of: Samples.run(
                    "aaaaa\(Array("abcdefghijklmnopqrst")[index])", campaign: "c\(index)"),
                notification: Samples.notification(
                    "sale of the year \(index)",
                    content: .text("visible words \(index)", mediaType: "text/plain")))
        }
        #expect(try isInFiles("sale of the year"))
        #expect(try isInFiles("visible words"))
        let counts = try await store.purge(at: Samples.start + 604_800, isDryRun: false)
        #expect(counts.notifications == 20)
        #expect(try !isInFiles("sale of the year"))
        #expect(try !isInFiles("visible words"))
    }

    @Test("A store opened for reading can decrypt payloads")
    func storeOpenedForReadingCanDecryptPayloads() async throws {
        let id = try await stage(SQLiteStore.open(at: path))
        let reading = try SQLiteStore.openForReading(at: path)
        let received = try await reading.notification(id, for: names[1])
        #expect(received?.notification.bytes == Array(Self.secret.utf8))
    }

    @Test("The key file is created and announced only once")
    func keyFileIsCreatedAndAnnouncedOnlyOnce() async throws {
        let made = Mutex<[String]>([])
        let options = StoreOptions(payloadKeyMade: { path in made.withLock { $0.append(path) } })
        let store = try SQLiteStore.open(at: path, options: options)
        try await StoreUnderTest { store }.stage(names)
        #expect(try !folder.contents().contains("store.sqlite.key"))
        _ = try await StoreUnderTest { store }.stage(
            names, of: Samples.run("bbbbbb", campaign: "b", kind: .secure),
            notification: secretText)
        _ = try await StoreUnderTest { store }.stagePersonal(
            names, of: Samples.run("cccccc", campaign: "c"))
        #expect(made.withLock(\.self) == [path + ".key"])
        #expect(try folder.mode("store.sqlite.key") == 0o600)
        #expect(try !folder.contents().contains { $0.hasSuffix(".new") })
    }

    @Test("Operations without payloads do not require a key")
    func operationsWithoutPayloadsDoNotRequireAKey() async throws {
        let store = try SQLiteStore.open(at: path)
        let id = try await stage(store)
        try FileManager.default.removeItem(atPath: path + ".key")
        let run = secure.id
        let again = try SQLiteStore.open(at: path)
        #expect(try await again.runs(campaign: nil, limit: 9).count == 1)
        #expect(try await again.claimNext(run, platform: .apns, limit: 9).count == 3)
        #expect(try await again.reportPage(run, after: 0, recipients: 9).rows.count == 3)
        #expect(try await again.overviews(run: nil, after: nil, limit: 9).map(\.id) == [id])
        #expect(
            try await again.notifications(
                for: names[0], isUnread: true, after: nil, limit: 9, at: Samples.start
            ).count == 1)
        #expect(try await again.notification(id, for: names[0], hasContent: false) != nil)
        _ = try await again.purge(at: Samples.start, isDryRun: false)
        #expect(try !folder.contents().contains("store.sqlite.key"))
    }

    @Test("Checking for the key does not create it")
    func checkingForTheKeyDoesNotCreateIt() async throws {
        let store = try SQLiteStore.open(at: path)
        try await store.checkPayloadKey()
        try await StoreUnderTest { store }.stage(names)
        try await store.checkPayloadKey()
        #expect(try !folder.contents().contains("store.sqlite.key"))
        _ = try await StoreUnderTest { store }.stage(
            names, of: Samples.run("bbbbbb", campaign: "b", kind: .secure),
            notification: secretText)
        try await store.checkPayloadKey()
        try await SQLiteStore.openForReading(at: path).checkPayloadKey()
    }

    @Test("The error for a missing key names its file")
    func errorForAMissingKeyNamesItsFile() async throws {
        let id = try await stage(SQLiteStore.open(at: path))
        try FileManager.default.removeItem(atPath: path + ".key")
        let again = try SQLiteStore.open(at: path)
        let error = StoreError.noPayloadKey(place, file: path + ".key")
        await #expect(throws: error) { try await again.notification(id) }
        await #expect(throws: error) { try await again.notification(id, for: names[0]) }
        await #expect(throws: error) { try await again.checkPayloadKey() }
        // A new key would hide that the old one is lost.
        await #expect(throws: error) {
            try await StoreUnderTest { again }.stagePersonal(
                names, of: Samples.run("bbbbbb", campaign: "b"))
        }
        #expect(try !folder.contents().contains("store.sqlite.key"))
        #expect(error.disposition == .configuration)
        #expect("\(error)".contains(path + ".key"))
        #expect("\(error)".contains("HUBSEND_PAYLOAD_KEY"))
    }

    @Test("A wrong key is distinguished from damage")
    func wrongKeyIsDistinguishedFromDamage() async throws {
        let right = PayloadKey.random()
        let options = { StoreOptions(payloadKey: .given($0)) }
        let store = try SQLiteStore.open(at: path, options: options(right))
        let id = try await stage(store)
        #expect(try !folder.contents().contains("store.sqlite.key"))
        let error = StoreError.wrongPayloadKey(place, file: path + ".key")
        let wrong = try SQLiteStore.open(at: path, options: options(.random()))
        await #expect(throws: error) { try await wrong.notification(id, for: names[0]) }
        await #expect(throws: error) { try await wrong.checkPayloadKey() }
        await #expect(throws: error) {
            try await StoreUnderTest { wrong }.stagePersonal(
                names, of: Samples.run("bbbbbb", campaign: "b"))
        }
        #expect(error.disposition == .configuration)
        #expect("\(error)".contains(path))
        let again = try SQLiteStore.openForReading(at: path, options: options(right))
        #expect(try await again.notification(id)?.bytes == Array(Self.secret.utf8))
    }

    @Test("A payload moved to another row is reported as damage")
    func payloadMovedToAnotherRowIsReportedAsDamage() async throws {
        let store = try SQLiteStore.open(at: path)
        let ids = try await StoreUnderTest { store }.stagePersonal(names)
        try await store.write { db in
            try db.execute(
                sql: """
                    UPDATE notifications SET sealed =
                        (SELECT sealed FROM notifications WHERE number = 1) WHERE number = 2
                    """)
        }
        await #expect(throws: StoreError.corrupt(place)) {
            try await store.notification(ids[1], for: names[1])
        }
        await #expect(throws: StoreError.corrupt(place)) {
            try await store.claimNext(Samples.runID(), platform: .apns, limit: 9)
        }
        #expect(try await store.outcomes(Samples.runID())[.notAttempted] == 6)
        #expect(
            try await store.interrupted(Samples.runID(), platform: .apns, after: 0, limit: 9)
                .isEmpty)
    }
}
