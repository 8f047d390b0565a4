import LocalHub
import Logging

extension HubFixture {
    /// Runs a hub whose people each have a device on each platform.
    ///
    /// - Parameters:
    ///   - port: the port; 0 picks a free one.
    ///   - fault: called for each send before the send takes effect.
    @discardableResult
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
    var environment: [String: String] {
        [
            "HUBSEND_HUB_CONNECTION_STRING": connectionString(.developmentFull),
            "HUBSEND_HUB_NAME": hubName,
        ]
    }
}
