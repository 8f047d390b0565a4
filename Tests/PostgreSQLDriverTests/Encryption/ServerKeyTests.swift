import CampaignCore
import Foundation
import StoreConformance
import Synchronization
import TestPostgreSQL
import TestSupport
import Testing

@testable import PostgreSQLDriver
@testable import Storage

@Suite(.bounded, .postgreSQL) struct ServerKeyTests {
    private let names = Samples.names(2)

    private func stage(
        _ store: PostgreSQLStore, _ suffix: String = "abcdef"
    ) async throws -> NotificationID {
        try await StoreUnderTest { store }.stage(
            names, of: Samples.run(suffix, campaign: suffix, kind: .secure),
            notification: Samples.notification(
                nil, type: nil, content: .text("sesame", mediaType: "text/plain")))
    }

    private func open(
        _ server: StoreOnServer, _ key: PayloadKeySource, in folder: TemporaryFolder? = nil
    ) throws -> PostgreSQLStore {
        var options = server.options
        options.common.payloadKey = key
        if let folder { options.keyFolder = folder.path }
        return try PostgreSQLStore.open(at: server.address, options: options)
    }

    @Test("A host with a different key is refused before it writes")
    func hostWithADifferentKeyIsRefusedBeforeItWrites() async throws {
        let server = try await StoreOnServer()
        let right = PayloadKey.random()
        let id = try await stage(open(server, .given(right)))
        let wrong = try open(server, .given(.random()))
        let error = StoreError.wrongPayloadKey(
            wrong.place, file: server.folder.file("payload.key"))
        await #expect(throws: error) { try await wrong.checkPayloadKey() }
        await #expect(throws: error) { try await wrong.notification(id, for: names[0]) }
        await #expect(throws: error) { try await stage(wrong, "bbbbbb") }
        #expect(try await wrong.number("SELECT count(*) FROM notifications") == 1)
        #expect(try server.folder.contents().isEmpty)
        let again = try open(server, .given(right))
        try await again.checkPayloadKey()
        #expect(try await again.notification(id)?.bytes == Array("sesame".utf8))
    }

    @Test("If hosts with different keys encrypt at the same time, one key is chosen")
    func ifHostsWithDifferentKeysEncryptAtTheSameTimeOneKeyIsChosen() async throws {
        let server = try await StoreOnServer()
        let stores = try (0..<4).map { _ in try open(server, .given(.random())) }
        let values = await withTaskGroup(of: Result<[UInt8], any Error>.self) { group in
            for store in stores {
                group.addTask {
                    await Result { try await store.sealingCipher().checkValue }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(values.count { (try? $0.get()) != nil } == 1)
        for value in values {
            guard case .failure(let error) = value else { continue }
            guard case .wrongPayloadKey = error as? StoreError else {
                Issue.record(error)
                continue
            }
        }
        #expect(try await stores[0].number("SELECT count(*) FROM payload_key") == 1)
    }

    @Test("The error on a host without the key names the file to copy")
    func errorOnAHostWithoutTheKeyNamesTheFileToCopy() async throws {
        let server = try await StoreOnServer()
        let made = Mutex<[String]>([])
        var options = server.options
        options.common.payloadKeyMade = { path in made.withLock { $0.append(path) } }
        let first = try PostgreSQLStore.open(at: server.address, options: options)
        try await first.checkPayloadKey()
        #expect(try server.folder.contents().isEmpty)
        let id = try await stage(first)
        let path = server.folder.file("payload.key")
        #expect(made.withLock(\.self) == [path])
        #expect(try server.folder.mode("payload.key") == 0o600)

        let folder = try TemporaryFolder()
        let second = try open(server, .fileBesideStore, in: folder)
        let copy = folder.file("payload.key")
        let error = StoreError.noPayloadKey(second.place, file: copy)
        await #expect(throws: error) { try await second.checkPayloadKey() }
        // A new key would hide that the right one is missing.
        await #expect(throws: error) { try await stage(second, "bbbbbb") }
        #expect(try folder.contents().isEmpty)
        try FileManager.default.copyItem(atPath: path, toPath: copy)
        #expect(try await second.notification(id)?.bytes == Array("sesame".utf8))
        _ = try await stage(second, "cccccc")
    }

    @Test("Processes on one host create a single key")
    func processesOnOneHostCreateASingleKey() async throws {
        let server = try await StoreOnServer()
        let values = try await withThrowingTaskGroup(of: [UInt8].self) { group in
            for _ in 0..<6 {
                let store = try server.open()
                group.addTask { try await store.sealingCipher().checkValue }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(Set(values).count == 1)
    }

    @Test("No table contains a secret in plain text")
    func noTableContainsASecretInPlainText() async throws {
        let server = try await StoreOnServer()
        let store = try server.open()
        _ = try await stage(store)
        _ = try await StoreUnderTest { store }.stagePersonal(
            names, of: Samples.run("bbbbbb", campaign: "b"))
        let found = try await store.number(
            """
            SELECT (SELECT count(*) FROM notifications n
                    WHERE n::text LIKE '%sesame%' OR n::text LIKE '%user-%'
                        OR position('sesame'::bytea IN n.sealed) > 0
                        OR position('only for'::bytea IN n.sealed) > 0)
                + (SELECT count(*) FROM contents)
            """)
        #expect(found == 0)
    }
}

extension Result where Failure == any Error {
    fileprivate init(_ body: () async throws -> Success) async {
        do {
            self = .success(try await body())
        } catch {
            self = .failure(error)
        }
    }
}
