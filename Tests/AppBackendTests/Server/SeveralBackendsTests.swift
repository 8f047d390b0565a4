import CampaignCore
import Foundation
import HTTPTypes
import PostgreSQLDriver
import Storage
import TestPostgreSQL
import TestServing
import TestSupport
import Testing

/// Backends on two hosts that share a hub and a store, without sticky clients.
@Suite(.bounded, .postgreSQL) struct SeveralBackendsTests {
    private static let device = #"{"Platform":"apns","Handle":"AB12","Tags":[]}"#

    private let hub = MemoryHub()
    /// The shared store, opened separately by each host.
    private let stores: [PostgreSQLStore]
    private let keys: TemporaryFolder

    init() async throws {
        let keys = try TemporaryFolder()
        let address = try await PostgreSQLServer.shared.emptyStore()
        stores = try (0..<2).map { _ in
            try PostgreSQLStore.open(
                at: address, options: PostgreSQLStoreOptions(keyFolder: keys.path, connections: 2))
        }
        self.keys = keys
    }

    /// Runs a test against the backend of a host, which has written all receipts when this returns.
    private func run<Value: Sendable>(
        host number: Int,
        _ test: @escaping @Sendable (BackendUnderTest) async throws -> Value
    ) async throws -> Value {
        try await BackendUnderTest.run(
            { setup in
                setup.useSocket()
                setup.store = stores[number]
                setup.hub = hub
            }, test)
    }

    @Test("A backend is not ready while its database server is read-only")
    func backendIsNotReadyWhileItsDatabaseServerIsReadOnly() async throws {
        let server = PostgreSQLServer.shared
        let role = try await server.roleWithStore()
        var options = PostgreSQLStoreOptions(keyFolder: keys.path, connections: 2)
        options.pool = .withoutRest
        let store = try PostgreSQLStore.open(
            at: try await server.address(as: role), options: options)
        try await BackendUnderTest.run({ $0.store = store }) { backend in
            func statuses() async throws -> [HTTPResponse.Status] {
                backend.time.move(by: 1)
                return [
                    try await backend.request(.get, "/ready").status,
                    try await backend.request(.post, "/api/register", as: .alice).status,
                ]
            }
            #expect(try await statuses() == [.ok, .ok])
            try await server.change(role, "SET default_transaction_read_only = on")
            #expect(try await statuses() == [.serviceUnavailable, .serviceUnavailable])
            // Sessions that are already open do not change.
            try await server.administer("ALTER ROLE \(role) RESET default_transaction_read_only")
            #expect(try await statuses() == [.ok, .ok])
        }
    }

    @Test("A backend responds in time although its database server hangs")
    func backendRespondsInTimeAlthoughItsDatabaseServerHangs() async throws {
        let server = PostgreSQLServer.shared
        let role = try await server.roleWithStore()
        let address = try await server.address(as: role)
        var options = PostgreSQLStoreOptions(keyFolder: keys.path, connections: 1)
        try PostgreSQLStore.open(at: address, options: options).close()
        options.pool = .givingUp(after: .seconds(1))
        let store = try PostgreSQLStore.open(at: address, options: options)
        try await BackendUnderTest.run({ $0.store = store }) { backend in
            let id = try await backend.notify([.alice])
            // A hanging session is aborted after the limit, and the next session works.
            for (method, path) in [
                (HTTPRequest.Method.get, "/api/notifications/\(id)"), (.post, "/api/register"),
            ] {
                let stopped = try await server.stopSessions(of: role)
                let first = try await backend.request(method, path, as: .alice).status
                #expect([.ok, .serviceUnavailable].contains(first), "\(path): \(first)")
                #expect(try await backend.request(method, path, as: .alice).status == .ok)
                withExtendedLifetime(stopped) {}
            }
        }
    }

    @Test("A device registered at one backend is known to the other")
    func deviceRegisteredAtOneBackendIsKnownToTheOther() async throws {
        try await run(host: 0) { one in
            try await run(host: 1) { other in
                let id = try await one.request(.post, "/api/register", as: .alice).text
                    .replacing("\"", with: "")
                let path = "/api/register/\(id)"
                let stolen = try await other.request(.put, path, as: .bob, body: Self.device)
                #expect(stolen.status == .gone)
                let used = try await other.request(.put, path, as: .alice, body: Self.device)
                #expect(used.status == .ok)
                #expect(hub.registrations[id]?.tags == ["username:alice"])
                let again = try await one.request(.post, "/api/register?handle=AB12", as: .alice)
                #expect(again.text == "\"\(id)\"")
            }
        }
    }

    @Test("If two backends get the same receipts, the first times are kept")
    func ifTwoBackendsGetTheSameReceiptsTheFirstTimesAreKept() async throws {
        let id = try await run(host: 0) { one in
            let id = try await one.notify([.alice])
            let path = "/api/notifications/\(id)"
            // The first backend wrote its receipt when it stopped, so the second time is later.
            try await run(host: 1) { other in
                let answer = try await other.request(.get, path, as: .alice)
                #expect(try answer.json()["Payload"] as? String == "the secret")
                let read = try await other.request(.put, path + "/read", as: .alice)
                #expect(read.status == .noContent)
            }
            one.time.move(by: 5)
            let answer = try await one.request(.get, path, as: .alice)
            #expect(try answer.json()["Read"] as? Bool == true)
            let read = try await one.request(.put, path + "/read", as: .alice)
            #expect(read.status == .noContent)
            return id
        }
        for store in stores {
            let received = try await store.notification(id, for: .alice)
            #expect(received?.fetched == AdjustableTime.start)
            #expect(received?.read == AdjustableTime.start)
        }
        let sent = try #require(try await stores[0].runs(campaign: nil, limit: 1).first)
        #expect(try await stores[1].reach(sent.id) == Reach(fetched: 1, read: 1))
    }
}
