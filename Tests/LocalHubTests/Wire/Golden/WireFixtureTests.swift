import TestSupport
import Testing

@testable import LocalHub

@Suite(.bounded)
struct WireFixtureTests {
    @Test(
        "Every operation returns the recorded response byte for byte",
        arguments: try WireFixture.names(in: "Operations"))
    func everyOperationReturnsTheRecordedResponseByteForByte(name: String) async throws {
        try await play(name)
    }

    @Test(
        "Requests from known clients are understood",
        arguments: try WireFixture.names(in: "Clients"))
    func requestsFromKnownClientsAreUnderstood(name: String) async throws {
        try await play(name)
    }

    @Test("Malformed requests are refused", arguments: try WireFixture.names(in: "Malformed"))
    func malformedRequestsAreRefused(name: String) async throws {
        try await play(name)
    }

    @Test("There is at least one wire fixture", arguments: ["Operations", "Clients", "Malformed"])
    func thereIsAtLeastOneWireFixture(folder: String) throws {
        #expect(try WireFixture.names(in: folder).count > 5)
    }

    private func play(_ name: String) async throws {
        let fixture = try WireFixture(named: name)
        var configuration = LocalHubConfiguration()
        configuration.now = { HubUnderTest.now }
        configuration.devices = fixture.devices
        // Requests without a response end after ten seconds instead of the usual time.
        configuration.limits.idleTimeout = .seconds(10)
        configuration.limits.bodyTimeout = .seconds(10)
        try await withLocalHub(configuration: configuration, logger: HubUnderTest.quiet) {
            address, _ in
            let host = "127.0.0.1:\(address.port)"
            var matcher = WireMatcher(host: host)
            for exchange in fixture.exchanges {
                let request = try WireRequest(
                    exchange.request, host: host, captured: matcher.captured)
                let answer = try await RawConnection.exchange(
                    port: address.port, request.first, then: request.rest,
                    until: { WireAnswer.isComplete($0) })
                if let difference = try matcher.difference(of: answer, from: exchange.answer) {
                    Issue.record("\(name):\(exchange.line): \(exchange.title)\n\(difference)")
                }
            }
        }
    }
}
