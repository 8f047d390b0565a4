import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import TestSupport
import Testing

@testable import LocalHub

@Suite(.bounded, .serialized)
struct TLSBoundsTests {
    @Test(
        "A body that is too large is refused with a readable reason",
        arguments: SecureHub.HTTPVersion.allCases, [true, false])
    func bodyThatIsTooLargeIsRefusedWithAReadableReason(
        version: SecureHub.HTTPVersion, isAnnounced: Bool
    ) async throws {
        try await SecureHub.run(version) { hub in
            for size in [70_000, 500_000] {
                var request = try hub.sendRequest()
                let body = ByteBuffer(repeating: 0x20, count: size)
                request.body =
                    isAnnounced
                    ? .bytes(body)
                    : .stream([body].async, length: .unknown)
                let response = try await hub.client.execute(request, timeout: SecureHub.patience)
                #expect(response.status == .payloadTooLarge)
                #expect(try await response.text().contains("<Error><Code>413</Code>"))
                #expect(response.headers["Connection"] == (version == .http1 ? ["close"] : []))
            }
            try await hub.expectSent()
            #expect(hub.server.counts.sends == 1)
        }
    }

    @Test(
        "A client that asks to close the connection gets Connection: close",
        arguments: ["close", "TE, Close"])
    func clientThatAsksToCloseTheConnectionGetsConnectionClose(field: String) async throws {
        try await SecureHub.run { hub in
            let request = "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: \(field)\r\n\r\n"
            let answer = try await RawTLSConnection.exchange(
                hub.address, "http/1.1", Array((request + request).utf8),
                trusting: hub.address.authorityPEM)
            let text = String(decoding: answer, as: UTF8.self)
            #expect(text.components(separatedBy: "HTTP/1.1 ").count == 2)
            #expect(text.contains("Connection: close\r\n"))
        }
    }

    @Test("An endless body over HTTP/2 is cut off") func endlessBodyOverHTTP2IsCutOff() async throws
    {
        try await SecureHub.run { hub in
            var request = try hub.sendRequest()
            let chunk = ByteBuffer(repeating: 0x20, count: 10_000)
            request.body = .stream(AsyncStream(unfolding: { chunk }), length: .unknown)
            // The refusal may or may not arrive before the end of the stream.
            let outcome = await Result.of {
                try await hub.client.execute(request, timeout: SecureHub.patience).status
            }
            if case .success(let status) = outcome { #expect(status == .payloadTooLarge) }
            try await hub.expectSent()
            #expect(hub.server.counts.sends == 1)
        }
    }

    @Test(
        "A request over TLS whose body stalls is cut off", arguments: SecureHub.HTTPVersion.allCases
    )
    func requestOverTLSWhoseBodyStallsIsCutOff(version: SecureHub.HTTPVersion) async throws {
        let (chunks, source) = AsyncStream.makeStream(of: ByteBuffer.self)
        source.yield(ByteBuffer(string: "{"))
        try await SecureHub.run(version, { $0.limits.bodyTimeout = .milliseconds(50) }) { hub in
            var request = try hub.sendRequest()
            request.body = .stream(chunks, length: .unknown)
            let stalled = request
            await #expect(throws: (any Error).self) {
                try await hub.client.execute(stalled, timeout: SecureHub.patience)
            }
            #expect(hub.server.counts.sends == 0)
        }
        source.finish()
    }

    @Test("Too many headers return 400", arguments: SecureHub.HTTPVersion.allCases)
    func tooManyHeadersReturn400(version: SecureHub.HTTPVersion) async throws {
        try await SecureHub.run(version) { hub in
            var request = try hub.sendRequest()
            for number in 1...200 { request.headers.add(name: "X-\(number)", value: "a") }
            let response = try await hub.client.execute(request, timeout: SecureHub.patience)
            #expect(response.status == .badRequest)
            try await hub.expectSent()
            #expect(hub.server.counts.sends == 1)
        }
    }

    @Test("A header block that is too large is refused over HTTP/2")
    func headerBlockThatIsTooLargeIsRefusedOverHTTP2() async throws {
        try await SecureHub.run(.http2, { $0.limits.headerBytes = 8_192 }) { hub in
            for size in [10_000, 40_000] {
                var request = try hub.sendRequest()
                request.headers.add(name: "X", value: String(repeating: "x", count: size))
                let large = request
                let outcome = await Result.of {
                    try await hub.client.execute(large, timeout: SecureHub.patience).status
                }
                // The limit of the decoder ends the connection.
                if case .success(let status) = outcome { #expect(status == .badRequest) }
            }
            #expect(hub.server.counts.sends == 0)
            try await hub.expectSent()
        }
    }

    @Test("Many requests share an HTTP/2 connection")
    func manyRequestsShareAnHTTP2Connection() async throws {
        try await SecureHub.run(.http2, { $0.limits.connections = 1 }) { hub in
            try await withThrowingTaskGroup(of: HTTPResponseStatus.self) { requests in
                for _ in 0..<150 {
                    let request = try hub.sendRequest()
                    requests.addTask { [client = hub.client] in
                        try await client.execute(request, timeout: SecureHub.patience).status
                    }
                }
                for try await status in requests { #expect(status == .created) }
            }
            #expect(await hub.server.received(by: "alice").count == 150)
        }
    }
}

extension Result where Failure == any Error {
    fileprivate static func of(
        _ work: () async throws -> Success
    ) async -> Result<Success, any Error> {
        do {
            return .success(try await work())
        } catch {
            return .failure(error)
        }
    }
}

extension Array where Element: Sendable {
    fileprivate var async: AsyncStream<Element> {
        AsyncStream { source in
            for element in self { source.yield(element) }
            source.finish()
        }
    }
}
