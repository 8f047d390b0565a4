import CampaignOperations
import DeviceSimulation
import LocalHub
import Logging
import NIOSSL
import NotificationHubs
import Settings

extension HubChoice {
    /// Connects for the time of some work; starts the embedded hub, if it is one.
    ///
    /// - Parameters:
    ///   - logger: where hub and client log.
    ///   - body: the work.
    /// - Returns: what the work returns.
    /// - Throws: what the work throws; `SettingFault` or `OperationFault` when the setting is wrong.
    func connect<Value: Sendable>(
        logger: Logger, _ body: (HubConnection) async throws -> Value
    ) async throws -> Value {
        switch self {
        case .local(let devices, let folder):
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
                        setting: setting, as: .hubsend))
            }
        case .remote(let secret, let name, let route):
            return try await body(try await Self.connection(secret, name: name, by: route))
        }
    }

    /// Connects to a hub that is there without this process.
    ///
    /// - Returns: nil for the embedded hub, whose devices are read.
    /// - Throws: as ``connect(logger:_:)``.
    func lasting() async throws -> HubConnection? {
        switch self {
        case .local(let devices, let folder):
            _ = try LocalDevices.read(devices, within: folder)
            return nil
        case .remote(let secret, let name, let route):
            return try await Self.connection(secret, name: name, by: route)
        }
    }

    /// Connects to a hub at an address; asks one on this machine for its name, where nothing gives it.
    ///
    /// - Parameters:
    ///   - secret: the connection string.
    ///   - name: the hub's name, where a setting gives it.
    ///   - route: how the hub is reached.
    /// - Returns: the connection.
    /// - Throws: `SettingFault` or `OperationFault` when a setting is wrong, `LocalHubNameFault` when the hub does not say its name.
    static func connection(
        _ secret: Secret, name: String?, by route: HubRoute
    ) async throws -> HubConnection {
        let string = try connectionString(await secret.text(), from: secret.setting)
        let trustRoots = try route.trustRoots()
        let known = try name.map(hubName) ?? string.hubName
        let name =
            if let known {
                known
            } else {
                try await asked(string.endpoint, from: secret.setting, trusting: trustRoots)
            }
        var connection = HubConnection(
            string, name: name, setting: secret.setting, as: .hubsend)
        connection.trustRoots = trustRoots
        connection.proxy = try route.proxy().map { HubProxy(host: $0.host, port: $0.port) }
        return connection
    }

    private static func asked(
        _ endpoint: HubEndpoint, from setting: String, trusting trustRoots: [String]
    ) async throws -> HubName {
        guard endpoint.isLoopback else {
            throw CommandEnd(
                .configuration,
                "The hub has no name. Set HUBSEND_HUB_NAME, or hub.name in the config file.")
        }
        return try await LocalHubInquiry(of: endpoint, setting: setting, trustRoots: trustRoots)
            .name { try HubName($0) }
    }
}

extension LocalHubInquiry {
    /// What asks the local hub at an address.
    ///
    /// - Parameters:
    ///   - endpoint: the address.
    ///   - setting: which setting named it.
    ///   - trustRoots: certificate authorities to trust beside the system's, in PEM.
    ///   - deadline: how long the answer may take in all.
    /// - Throws: `HubConfigurationError` when an authority cannot be read.
    init(
        of endpoint: HubEndpoint, setting: String, trustRoots: [String] = [],
        deadline: Duration = .seconds(5)
    ) throws {
        self.init(
            endpoint: "\(endpoint)", setting: setting, usualName: HubCaller.hubsend.embeddedHub,
            tls: try TLSConfiguration.hub(trusting: trustRoots), userAgent: Hubsend.userAgent,
            deadline: deadline)
    }
}

extension HubCaller {
    /// This program.
    static let hubsend = HubCaller(
        userAgent: Hubsend.userAgent, embeddedHub: LocalHubConfiguration().hubName)
}
