import Foundation
import Testing

@testable import LocalHub

/// Tests a hub on a real socket with secrets, and requests that must not get them.
struct HubUnderAttack {
    /// The secrets are in a received push and in the device's handle.
    static let secret = "TOP5EC2E7"

    /// Every kind of path that needs no key.
    static let paths = [
        "/", "/.hubsend", "/.hubsend/changes", "/.hubsend/messages", "/.hubsend/messages/1",
        "/.hubsend/messages/next", "/.hubsend/devices", "/.hubsend/devices/alice",
        "/.hubsend/devices/alice/events", "/.hubsend/installations/i",
        "/.hubsend/registrations/r", "/.hubsend/sends", "/.hubsend/sends/1", "/.hubsend/token",
        "/.hubsend/faults",
        "/.hubsend/feedback/hubsend", "/.hubsend/unknown",
    ]

    let port: Int
    let token: String

    static func run<Value>(
        _ change: (inout LocalHubConfiguration) -> Void = { _ in },
        _ test: (HubUnderAttack) async throws -> Value
    ) async throws -> Value {
        var configuration = LocalHubConfiguration()
        configuration.now = { HubUnderTest.now }
        configuration.devices = [LocalHubDevice(user: "alice", platform: .apns, handle: secret)]
        var rule = FaultRule(.drop(takesEffect: true))
        rule.first = 1_000
        configuration.faults = [rule]
        configuration.readFaults = { _ in [] }
        change(&configuration)
        return try await withLocalHub(configuration) { address, _ in
            let body = #"{"aps":{"alert":"\#(secret)"}}"#
            let sent = try await RawConnection.exchange(
                port: address.port, RawConnection.send(body: body))
            #expect(sent.hasPrefix("HTTP/1.1 201"), "\(sent)")
            let answer = try await RawAnswer.to("GET /.hubsend/token", port: address.port)
            return try await test(
                HubUnderAttack(
                    port: address.port, token: answer.body.trimmingCharacters(in: .newlines)))
        }
    }

    func ask(
        _ line: String, host: String? = nil, _ headers: [String] = [], body: String? = nil
    ) async throws -> RawAnswer {
        try await .to(line, port: port, host: host, headers, body: body)
    }

    /// Expects that a response is a refusal and reveals nothing to any page that might read it.
    func expectRefusal(
        _ answer: RawAnswer, _ what: String, statuses: Set<Int> = [403],
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(statuses.contains(answer.status), "\(what)", sourceLocation: sourceLocation)
        #expect(!answer.body.contains(Self.secret), "\(what)", sourceLocation: sourceLocation)
        #expect(!answer.body.contains(token), "\(what)", sourceLocation: sourceLocation)
        #expect(
            !answer.headers.contains { $0.name.hasPrefix("access-control") }, "\(what)",
            sourceLocation: sourceLocation)
    }
}
