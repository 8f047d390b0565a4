import LocalHub
import Logging

@testable import NotificationHubs

enum AgainstLocalHub {
    static func with<Value>(
        _ change: (inout LocalHubConfiguration) -> Void = { _ in },
        rule: LocalHubRule = .developmentFull,
        _ use: (NotificationHubClient, LocalHubServer) async throws -> Value
    ) async throws -> Value {
        let quiet = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        var configuration = LocalHubConfiguration()
        change(&configuration)
        return try await withLocalHub(configuration: configuration, logger: quiet) {
            address, server in
            let client = try NotificationHubClient(
                connectionString: ConnectionString(parsing: address.connectionString(rule)),
                hubName: HubName(address.hubName), settings: .patient)
            do {
                let value = try await use(client, server)
                try await client.shutdown()
                return value
            } catch {
                try await client.shutdown()
                throw error
            }
        }
    }
}
