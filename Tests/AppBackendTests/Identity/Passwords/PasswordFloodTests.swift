import CampaignCore
import HTTPTypes
import TestServing
import TestSupport
import Testing

@testable import AppBackend

/// A flood of wrong passwords over real sockets, with a hashing thread that the test controls.
@Suite(.bounded) struct PasswordFloodTests {
    /// Longer than bcrypt's limit, so the password waits like any other but costs nothing to check.
    private static let wrong = TestPasswords.basic("alice", String(repeating: "a", count: 73))

    @Test("The right password is checked before a flood from many addresses")
    func rightPasswordIsCheckedBeforeAFloodFromManyAddresses() async throws {
        let identity = try TestIdentity()
        let threads = HashingThreads(threads: 1, limit: PasswordSignIn.mostChecks)
        let path = try identity.folder.write(TestPasswords.alice, to: "users", mode: 0o600)
        let authenticator = try await identity.authenticator(
            BackendSettings(users: path), threads: threads)
        try await BackendUnderTest.run({
            $0.useSocket()
            $0.signIn = authenticator
            $0.proxies = [try #require(AddressRange("127.0.0.0/8"))]
        }) { backend in
            @Sendable func sign(
                in credentials: String, from address: String
            ) async throws -> TestResponse {
                try await backend.request(
                    .get, "/api/notifications", authorization: credentials,
                    headers: ["Forwarded": "for=\(address);proto=https"])
            }
            let busy = try HashingBlock(of: threads)
            try await withThrowingTaskGroup(of: TestResponse.self) { group in
                defer { busy.end() }
                for number in 1...(PasswordSignIn.mostChecks + 6) {
                    group.addTask { try await sign(in: Self.wrong, from: "198.51.100.\(number)") }
                }
                // Once this many have been refused, all requests have arrived.
                for _ in 0..<6 { try await Self.expectTurnedAway(group.next()) }
                let next = try HashingBlock(of: threads)
                defer { next.end() }
                try await Self.expectTurnedAway(group.next())
                async let right = sign(in: TestPasswords.basic("alice"), from: "203.0.113.9")
                try await Self.expectTurnedAway(group.next())
                busy.end()
                // The queue checks her password first; all others are still waiting.
                #expect(try await right.status == .ok)
                next.end()
                for try await answer in group { #expect(answer.status == .unauthorized) }
            }
        }
    }

    private static func expectTurnedAway(_ answer: TestResponse?) {
        #expect(answer?.status == .serviceUnavailable)
        #expect(answer?.header("Retry-After") == "5")
    }
}
