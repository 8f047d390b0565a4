import LocalHub
import Logging
import Synchronization
import TestSupport

/// A local hub in the process of the test, which the binary reaches over a socket.
enum HubFixture {
    /// Runs a hub during a test; each user has a device on apns.
    ///
    /// - Parameters:
    ///   - secure: gets the TLS connection string in `string` and the certificate in `ca.pem`; nil
    ///     means no TLS.
    ///   - body: gets the environment that points `hubsend` at the hub.
    @discardableResult
    static func run<Value>(
        people: [String] = [], secure: TemporaryFolder? = nil,
        fault: @escaping @Sendable (SendRequestSummary) -> LocalHubFault? = { _ in nil },
        _ body: (_ environment: [String: String], _ hub: LocalHubServer) async throws -> Value
    ) async throws -> Value {
        var configuration = LocalHubConfiguration()
        configuration.devices = people.map { LocalHubDevice(user: $0, platform: .apns) }
        configuration.fault = fault
        if secure != nil { configuration.tls = LocalHubTLS() }
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        return try await withLocalHub(configuration: configuration, logger: logger) {
            address, hub in
            if let secure, let string = address.tlsConnectionString(.developmentFull),
                let authority = address.authorityPEM
            {
                try secure.write(string, to: "string", mode: 0o600)
                try secure.write(authority, to: "ca.pem")
            }
            return try await body(
                [
                    "HUBSEND_HUB_CONNECTION_STRING": address.connectionString(.developmentFull),
                    "HUBSEND_HUB_NAME": address.hubName,
                ], hub)
        }
    }
}
