import CampaignCore
import Foundation
import HTTPTypes
import NIOCore
import SQLiteDriver
import TestServing
import TestSupport
import Testing

@testable import AppBackend

@Suite(.bounded)
struct ReceiptTests {
    @Test("Marking as read is durable before the response, and the first time is kept")
    func markingAsReadIsDurableBeforeTheResponseAndTheFirstTimeIsKept() async throws {
        try await BackendUnderTest.run { backend in
            let id = try await backend.notify([.alice, .bob])
            let first = backend.time.now()
            for _ in 1...3 {
                let answer = try await backend.request(
                    .put, "/api/notifications/\(id)/read", as: .alice)
                #expect(answer.status == .noContent)
                #expect(try await backend.received(id, .alice)?.read == first)
                backend.time.move(by: 5)
            }
            #expect(try await backend.received(id, .bob)?.read == nil)
            let json = try await backend.request(.get, "/api/notifications/\(id)", as: .alice)
                .json()
            #expect(json["Read"] as? Bool == true)
        }
    }

    @Test("A hundred simultaneous reads are all durable")
    func hundredSimultaneousReadsAreAllDurable() async throws {
        try await BackendUnderTest.run { backend in
            let people = (0..<100).map { Username(checked: "user-\($0)") }
            let id = try await backend.notify(people)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for user in people {
                    group.addTask {
                        let answer = try await backend.request(
                            .put, "/api/notifications/\(id)/read", as: user)
                        #expect(answer.status == .noContent)
                        #expect(try await backend.received(id, user)?.read != nil)
                    }
                }
                try await group.waitForAll()
            }
        }
    }

    @Test("Only a payload that was sent completely counts as fetched")
    func onlyAPayloadThatWasSentCompletelyCountsAsFetched() async throws {
        let (bench, id) = try await BackendUnderTest.run({ $0.useSocket() }) { backend in
            let content = FetchTests.file("image/png")
            let id = try await backend.notify(
                [.alice, .bob, .carol, .dora], kind: .rich, content: content)
            let uri = "/api/notifications/\(id)"
            let tag = try #require(try await backend.request(.get, uri, as: .alice).header("ETag"))
            for field in ["*", tag] {
                let answer = try await backend.request(
                    .get, uri, as: .bob, headers: ["If-None-Match": field])
                #expect(answer.status == .notModified)
            }
            _ = try await backend.request(.head, uri, as: .carol)
            _ = try await backend.request(.get, uri + "?as=json", as: .carol)
            return (backend, id)
        }
        // The server has stopped and written all receipts.
        #expect(try await bench.received(id, .alice)?.fetched == AdjustableTime.start)
        // A client that gets a 304 receives no bytes.
        #expect(try await bench.received(id, .bob)?.fetched == nil)
        #expect(try await bench.received(id, .carol)?.fetched == nil)
        #expect(try await bench.received(id, .dora)?.fetched == nil)
    }

    /// The second fetch uses another server, because a response may be sent before its receipt is
    /// written.
    @Test("A later fetch does not change the time of the first one")
    func laterFetchDoesNotChangeTheTimeOfTheFirstOne() async throws {
        let (first, id) = try await BackendUnderTest.run({ $0.useSocket() }) { backend in
            let id = try await backend.notify([.alice])
            let answer = try await backend.request(.get, "/api/notifications/\(id)", as: .alice)
            #expect(answer.status == .ok)
            return (backend, id)
        }
        #expect(try await first.received(id, .alice)?.fetched == AdjustableTime.start)
        try await BackendUnderTest.run({ setup in
            setup.useSocket()
            setup.storePath = first.folder.file("store.sqlite")
        }) { backend in
            backend.time.move(by: 1)
            let answer = try await backend.request(.get, "/api/notifications/\(id)", as: .alice)
            #expect(answer.status == .ok)
        }
        #expect(try await first.received(id, .alice)?.fetched == AdjustableTime.start)
    }

    @Test("A payload that the client never read does not count as fetched")
    func payloadThatTheClientNeverReadDoesNotCountAsFetched() async throws {
        let (bench, id) = try await BackendUnderTest.listen({
            $0.limits.stallTimeout = .milliseconds(50)
        }) { backend, server in
            let large = [UInt8](repeating: 7, count: 48 << 20)
            let id = try await backend.notify(
                [.alice], kind: .rich, content: FetchTests.file("image/png", large))
            try await RawConnection.stall(
                port: server.port,
                RawConnection.get("/api/notifications/\(id)", as: .alice)
            ) { beginning in
                #expect(beginning.hasPrefix("HTTP/1.1 200"))
                await server.stop()
                // This returns only after the server has closed the connection.
                await server.hasStopped()
            }
            return (backend, id)
        }
        #expect(try await bench.received(id, .alice)?.fetched == nil)
        let line = try #require(try bench.auditLines().last)
        #expect(line.contains(#""action":"fetch","what":"\#(id)","from":"127.0.0.1""#))
        #expect(line.contains(#""outcome":"cut_off","reason":""#))
        #expect(line.contains(" of \(48 << 20) bytes were sent"))
    }
}
