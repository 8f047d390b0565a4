import Foundation
import HTTPTypes
import InMemoryLogging
import Logging
import SQLiteDriver
import Storage
import TestServing
import TestSupport
import Testing

@testable import AppBackend

/// `/health` reports that the server is up, and `/ready` that it can work; neither reveals more.
@Suite(.bounded) struct HealthTests {
    @Test("A working server is ready") func workingServerIsReady() async throws {
        try await BackendUnderTest.run { backend in
            for (uri, text) in [("/health", "up"), ("/ready", "ready")] {
                let answer = try await backend.request(.get, uri)
                #expect(answer.status == .ok)
                #expect(answer.text == "{\"Status\":\"\(text)\"}")
                #expect(try await backend.request(.head, uri).status == .ok)
            }
            #expect(try backend.auditLines().isEmpty)
        }
    }

    @Test("A server where nobody can sign in is not ready")
    func serverWhereNobodyCanSignInIsNotReady() async throws {
        try await BackendUnderTest.run({ $0.fileProblem = { "the password file is broken" } }) {
            backend in
            let answer = try await backend.request(.get, "/ready")
            #expect(answer.status == .serviceUnavailable)
            #expect(answer.text == "{\"Status\":\"not ready\"}")
            #expect(answer.header("Retry-After") == "5")
            #expect(try await backend.request(.get, "/health").status == .ok)
        }
    }

    @Test("A server that has lost its store reports this within a second")
    func serverThatHasLostItsStoreReportsThisWithinASecond() async throws {
        try await BackendUnderTest.run { backend in
            #expect(try await backend.request(.get, "/ready").status == .ok)
            try backend.store.close()
            #expect(try await backend.request(.get, "/ready").status == .ok)
            backend.time.move(by: 1)
            #expect(try await backend.request(.get, "/ready").status == .serviceUnavailable)
            let fetch = try await backend.request(.get, "/api/notifications", as: .alice)
            #expect(fetch.status == .serviceUnavailable)
            #expect(fetch.header("Retry-After") == "5")
            #expect(!fetch.text.contains("store"))
        }
    }

    @Test("A server whose store was replaced does not use the old store")
    func serverWhoseStoreWasReplacedDoesNotUseTheOldStore() async throws {
        let log = InMemoryLogHandler()
        let logger = Logger(label: "test") { _ in log }
        try await BackendUnderTest.run({ $0.logger = logger }) { backend in
            let id = try await backend.notify([.alice])
            let path = backend.folder.file("store.sqlite")
            let backup = backend.folder.file("backup.sqlite")
            try SQLiteStore.open(at: backup).close()
            try FileManager.default.moveItem(
                atPath: path, toPath: backend.folder.file("old.sqlite"))
            try FileManager.default.moveItem(atPath: backup, toPath: path)
            #expect(try await backend.request(.get, "/ready").status == .serviceUnavailable)
            let unknown = String(repeating: "a", count: 26)
            for (method, path) in [
                (.get, "/\(id)"), (.get, "/\(unknown)"), (.get, ""), (.put, "/\(id)/read"),
                (.put, "/\(unknown)/read"),
            ] as [(HTTPRequest.Method, String)] {
                let answer = try await backend.request(
                    method, "/api/notifications" + path, as: .alice)
                #expect(answer.status == .serviceUnavailable, "\(method) \(path)")
            }
            #expect(try await backend.request(.get, "/health").status == .ok)
            let lines = log.entries.filter { $0.level >= .error }
            #expect(lines.count == 1, "however many requests fail")
            #expect(lines.first?.metadata["error"]?.description.contains("replaced") == true)
        }
    }

    @Test("A server is not ready while its payload key is missing")
    func serverIsNotReadyWhileItsPayloadKeyIsMissing() async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("store.sqlite")
        let key = path + ".key"
        let id = try await BackendUnderTest.run({ $0.storePath = path }) { backend in
            #expect(try await backend.request(.get, "/ready").status == .ok)
            return try await backend.notify([.alice])
        }
        try FileManager.default.moveItem(atPath: key, toPath: key + ".away")
        try await BackendUnderTest.run({ $0.storePath = path }) { backend in
            let answer = try await backend.request(.get, "/ready")
            #expect(answer.status == .serviceUnavailable)
            #expect(answer.text == "{\"Status\":\"not ready\"}")
            #expect(try await backend.request(.get, "/health").status == .ok)
            #expect(!FileManager.default.fileExists(atPath: key))
            // Marking a notification as read decrypts nothing.
            let read = try await backend.request(.put, "/api/notifications/\(id)/read", as: .alice)
            #expect(read.status == .noContent)
            try FileManager.default.moveItem(atPath: key + ".away", toPath: key)
            #expect(try await backend.request(.get, "/ready").status == .serviceUnavailable)
            backend.time.move(by: 1)
            #expect(try await backend.request(.get, "/ready").status == .ok)
        }
    }

    @Test("A server is not ready while its audit cannot be written")
    func serverIsNotReadyWhileItsAuditCannotBeWritten() async throws {
        try await BackendUnderTest.run { backend in
            try FileManager.default.removeItem(atPath: backend.folder.file("audit.jsonl"))
            try FileManager.default.createDirectory(
                atPath: backend.folder.file("audit.jsonl"), withIntermediateDirectories: false)
            _ = try await backend.request(.get, "/api/notifications", as: .alice)
            #expect(throws: AuditError.self) { try backend.audit.flush() }
            #expect(try await backend.request(.get, "/ready").status == .serviceUnavailable)
            try FileManager.default.removeItem(atPath: backend.folder.file("audit.jsonl"))
            #expect(try backend.auditLines().count == 1)
            backend.time.move(by: 1)
            #expect(try await backend.request(.get, "/ready").status == .ok)
        }
    }
}
