import LocalHub
import Logging
import Synchronization
import TestSupport

/// A local hub in the test's own process, which the binary reaches over a socket.
enum HubFixture {
    /// Runs a hub for the time of a test.
    ///
    /// - Parameters:
    ///   - people: the users; each has a device on apns.
    ///   - secure: gets the connection string for TLS in `string` and the certificate to trust in
    ///     `ca.pem`; nil: no TLS.
    ///   - fault: what goes wrong with a send.
    ///   - body: the test; gets the environment that points `hubsend` at the hub.
    /// - Returns: what the test returns.
    /// - Throws: what the test throws.
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
