import CampaignCore
import DeviceSimulation
import LocalHub
import Logging
import NIOSSL
import NotificationHubs

extension HubChoice {
    /// The name of the embedded hub, which runs in this process.
    static let embeddedHub = LocalHubConfiguration().hubName

    /// Connects for the duration of some work, and starts the embedded hub if it is chosen.
    func connect<Value: Sendable>(
        logger: Logger, _ body: (HubConnection) async throws -> Value
    ) async throws -> Value {
        switch self {
        case .local(let devices, let folder, let conflict):
            if let conflict { throw conflict }
            var configuration = LocalHubConfiguration()
            configuration.devices = try LocalDevices.read(devices, within: folder)
            return try await withLocalHub(configuration: configuration, logger: logger) {
                address, _ in
                let setting = "hub.local"
                let string = try Self.connectionString(
                    address.connectionString(.developmentFull), from: setting)
                return try await body(
                    HubConnection(
                        string, name: try Self.hubName(address.hubName), isEmbedded: true,
                        setting: setting))
            }
        case .remote(let secret, let name, let route):
            return try await body(
                try await Self.connection(secret, name: name, by: route))
        }
    }

    /// Connects to a hub outside this process; for the embedded hub, checks its devices and returns
    /// nil.
    func externalConnection() async throws -> HubConnection? {
        switch self {
        case .local(let devices, let folder, let conflict):
            if let conflict { throw conflict }
            _ = try LocalDevices.read(devices, within: folder)
            return nil
        case .remote(let secret, let name, let route):
            return try await Self.connection(secret, name: name, by: route)
        }
    }

    /// Connects to the hub of a connection string; a local hub is asked for its name if necessary.
    static func connection(
        _ secret: Secret, name: HubNaming?, by route: HubRoute
    ) async throws -> HubConnection {
        let (string, known) = try hub(
            await secret.text(), from: secret.setting, name: name, route)
        let trustRoots = try route.trustRoots()
        let name =
            if let known {
                known
            } else {
                try await asked(
                    string.endpoint, from: secret.setting, trusting: trustRoots)
            }
        var connection = HubConnection(
            string, name: name, setting: secret.setting)
        if let secondary = route.secondary {
            try connection.add(
                secondary: connectionString(
                    await secondary.text(), from: secondary.setting), from: secondary.setting)
        }
        connection.trustRoots = trustRoots
        connection.proxy = try route.proxy().map { HubProxy(host: $0.host, port: $0.port) }
        return connection
    }

    private static func asked(
        _ endpoint: HubEndpoint, from setting: String, trusting trustRoots: [String]
    ) async throws -> HubName {
        guard endpoint.isLoopback else {
            throw Refused(
                """
                \(setting) points to \(endpoint.host), but the hub's name is not set. Set HUBSEND_HUB_NAME, or write \
                `hub: { name: … }` in hubsend.yaml.
                """)
        }
        return try await LocalHubInquiry(
            of: endpoint, setting: setting, trustRoots: trustRoots
        ).name { try HubName($0) }
    }
}

extension LocalHubInquiry {
    /// Asks the local hub at an endpoint for its name.
    ///
    /// - Parameters:
    ///   - setting: the setting that named the endpoint.
    ///   - trustRoots: certificates in PEM, in addition to the system's.
    ///   - deadline: the time limit for the whole response.
    init(
        of endpoint: HubEndpoint, setting: String, trustRoots: [String] = [],
        deadline: Duration = .seconds(5)
    ) throws {
        self.init(
            endpoint: "\(endpoint)", setting: setting, usualName: HubChoice.embeddedHub,
            tls: try TLSConfiguration.hub(trusting: trustRoots), userAgent: Hubsend.userAgent,
            deadline: deadline)
    }
}
