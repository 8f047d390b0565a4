import LocalHub
import Logging

extension HubFixture {
    /// Runs a hub whose people have devices on several platforms.
    ///
    /// - Parameters:
    ///   - people: the users.
    ///   - platforms: each of them has a device on each.
    ///   - port: the port; 0 for a free one.
    ///   - fault: what goes wrong with a send; called for each before it takes effect.
    ///   - body: the test.
    /// - Returns: what the test returns.
    /// - Throws: what the test throws.
    static func run<Value>(
        people: [String], platforms: [LocalHubPlatform], port: Int = 0,
        fault: @escaping @Sendable (SendRequestSummary) -> LocalHubFault? = { _ in nil },
        _ body: (_ address: LocalHubAddress, _ hub: LocalHubServer) async throws -> Value
    ) async throws -> Value {
        var configuration = LocalHubConfiguration()
        configuration.port = port
        configuration.devices = people.flatMap { person in
            platforms.map { LocalHubDevice(user: person, platform: $0) }
        }
        configuration.fault = fault
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        return try await withLocalHub(configuration: configuration, logger: logger, body: body)
    }
}

extension LocalHubAddress {
    /// The environment that points `hubsend` at the hub.
    var environment: [String: String] {
        [
            "HUBSEND_HUB_CONNECTION_STRING": connectionString(.developmentFull),
            "HUBSEND_HUB_NAME": hubName,
        ]
    }
}
