import CampaignCore
import Foundation
import HTTPTypes
import InMemoryLogging
import Logging
import NIOCore
import TestServing
import TestSupport
import Testing

@testable import AppBackend

/// The server responds to any input, but never with an internal error.
@Suite(.bounded) struct RequestFuzzTests {
    private static let methods: [HTTPRequest.Method] = [
        .get, .head, .put, .post, .delete, .patch, .options,
    ]
    private static let words = [
        "api", "register", "notifications", "read", "health", "ready", "..", "%2e%2e", "%2F",
        "%00", "%", "%zz", "a b", "é", "🎉", "", "//", "100-1-1", "hers",
        NotificationID.placeholder.text, String(repeating: "a", count: 300),
    ]
    private static let queries = [
        "handle=AB", "handle=", "handle=%FF", "pns=apns", "pns=mpns", "to_tag=alice", "to_tag=a||b",
        "unread=true", "unread=x", "after=x", "limit=2", "limit=99999999999999999999", "as=json",
        "as", "&&=", "%", "a=b=c",
    ]
    private static let fields = [
        ("If-None-Match", "*"), ("If-None-Match", "\"a\", W/\"b\",,"), ("Origin", "null"),
        ("Origin", "https://localhost"), ("Content-Type", "text/plain"), ("Expect", "x"),
        ("Forwarded", "for=\"[::1]\""), ("Authorization", "Basic !!!"), ("Range", "bytes=0-"),
        ("X-Forwarded-For", ",,,"), ("Cookie", String(repeating: "c", count: 2_000)),
    ]
    private static let bodies = [
        "", "\"hi\"", "{}", "[]", "null", "1e999", "{\"Payload\":\"x\"}", "{\"Payload\":null}",
        "{\"Platform\":\"apns\",\"Handle\":\"AB\",\"Tags\":[\"news\"]}", "\"\\ud800\"",
        "{\"Platform\":\"apns\",\"Handle\":\"AB\",\"Tags\":[\"news\"],\"Tags\":3}",
        String(repeating: "{\"a\":", count: 2_000), String(repeating: "x", count: 65_537),
        "\u{FEFF}\"hi\"", "\"\u{0}\"",
    ]

    @Test("No request makes the server fail", arguments: [1, 2, 3] as [UInt64])
    func noRequestMakesTheServerFail(seed: UInt64) async throws {
        let log = InMemoryLogHandler()
        try await BackendUnderTest.run({ $0.logger = Logger(label: "test") { _ in log } }) {
            backend in
            var generator = SeededGenerator(seed: seed)
            let id = try await backend.notify([.alice, .sam])
            try await backend.store.issue("hers", to: .alice, handle: nil, at: backend.time.now())
            for _ in 0..<300 {
                let path = Self.path(id, &generator)
                var headers: [String: String] = [:]
                for _ in 0..<Int.random(in: 0...2, using: &generator) {
                    let field = Self.fields.randomElement(using: &generator) ?? ("X", "")
                    headers[field.0] = field.1
                }
                let users: [Username?] = [.alice, .sam, .bob, nil]
                let user = users.randomElement(using: &generator) ?? nil
                let method = Self.methods.randomElement(using: &generator) ?? .get
                let answer = try await backend.request(
                    method, path, as: user, headers: headers,
                    body: Self.bodies.randomElement(using: &generator))
                #expect(answer.status.code < 500, "\(method) \(path) \(headers): \(answer.status)")
                #expect(answer.text.count < 2_000)
            }
        }
        #expect(log.entries.allSatisfy { $0.level < .error })
    }

    private static func path(
        _ id: NotificationID, _ generator: inout some RandomNumberGenerator
    ) -> String {
        var path = ""
        if Bool.random(using: &generator) {
            path = "/api/" + (["register", "notifications"].randomElement(using: &generator) ?? "")
        }
        for _ in 0..<Int.random(in: 0...3, using: &generator) {
            let word =
                Int.random(in: 0..<4, using: &generator) == 0
                ? id.text : words.randomElement(using: &generator) ?? ""
            path += "/" + word
        }
        for number in 0..<Int.random(in: 0...2, using: &generator) {
            path += (number == 0 ? "?" : "&") + (queries.randomElement(using: &generator) ?? "")
        }
        return path
    }

    @Test("Damaged bytes never make the server fail")
    func damagedBytesNeverMakeTheServerFail() async throws {
        let log = InMemoryLogHandler()
        try await BackendUnderTest.listen({
            $0.logger = Logger(label: "test") { _ in log }
            $0.limits.idleTimeout = .milliseconds(200)
            $0.limits.bodyTimeout = .milliseconds(200)
        }) { backend, server in
            let id = try await backend.notify([.alice])
            let whole = Array(
                """
                PUT /api/register/hers?x=1 HTTP/1.1\r
                Host: a\r
                Authorization: Test alice\r
                Content-Length: 47\r
                \r
                {"Platform":"apns","Handle":"AB12","Tags":[""]}\
                \(RawConnection.get("/api/notifications/\(id)", as: .alice))
                """.utf8)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for task in 0..<8 {
                    group.addTask {
                        var generator = SeededGenerator(seed: UInt64(task))
                        for _ in 0..<15 {
                            var bytes = whole
                            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                                let place = Int.random(in: 0..<bytes.count, using: &generator)
                                switch Int.random(in: 0..<3, using: &generator) {
                                case 0: bytes[place] = .random(in: 0...255, using: &generator)
                                case 1: bytes.remove(at: place)
                                default: bytes.insert(bytes[place], at: place)
                                }
                            }
                            let answer = try await RawConnection.exchange(port: server.port, bytes)
                            let lines = answer.split(separator: "\r\n")
                            #expect(!lines.contains { $0.hasPrefix("HTTP/1.1 5") })
                        }
                    }
                }
                try await group.waitForAll()
            }
            // On a busy machine, a connection may be idle for too long before its first byte
            // arrives.
            var next = ""
            for _ in 0..<50 where next.isEmpty {
                next = try await RawConnection.exchange(
                    port: server.port,
                    "GET /health HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            }
            #expect(next.hasPrefix("HTTP/1.1 200"))
        }
        #expect(log.entries.allSatisfy { $0.level < .error })
    }
}
