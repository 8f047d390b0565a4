import CampaignCore
import CampaignFormat
import LocalHub
import Logging
import NotificationHubs

extension HubChoice {
    /// The host that stands for the embedded hub, whose port is another one each time.
    private static let embeddedHost = "local"

    /// Connects for the time of some work; starts the embedded hub, if it is one.
    ///
    /// - Parameters:
    ///   - logger: where hub and client log.
    ///   - body: the work.
    /// - Returns: what the work returns.
    /// - Throws: what the work throws; ``CommandFailure`` when the setting is no good.
    func connect<Value: Sendable>(
        logger: Logger, _ body: (HubConnection) async throws -> Value
    ) async throws -> Value {
        switch self {
        case .local(let devices):
            var configuration = LocalHubConfiguration()
            configuration.devices = try LocalDevices.read(devices)
            return try await withLocalHub(configuration: configuration, logger: logger) {
                address, _ in
                let connection = try Self.connection(
                    address.connectionString(.developmentFull), name: address.hubName,
                    from: "hub.local", host: Self.embeddedHost)
                return try await body(connection)
            }
        case .remote(let secret, let name, let route):
            var connection = try Self.connection(
                secret.text(), name: name, from: secret.setting, host: nil)
            connection.trustRoots = try route.trustRoots()
            connection.proxy = try route.proxy()
            return try await body(connection)
        }
    }

    /// What a preview may know without running anything; the address is left open where that is too little.
    func describer() throws -> HubPushDescriber {
        switch self {
        case .remote(let secret, let name, _):
            guard let text = try secret.textWithoutCommands() else {
                return try Self.describer(named: name)
            }
            let connection = try Self.connection(text, name: name, from: secret.setting, host: nil)
            return HubPushDescriber(
                endpoint: connection.connectionString.endpoint, hubName: connection.name,
                userAgent: Hubsend.userAgent)
        case .local:
            return try Self.describer(named: LocalHubConfiguration().hubName)
        }
    }

    /// Describes requests to a hub whose address is not known.
    static func describer(named name: String?) throws -> HubPushDescriber {
        HubPushDescriber(
            endpoint: nil, hubName: try name.map(hubName), userAgent: Hubsend.userAgent)
    }

    private static func hubName(_ text: String) throws -> HubName {
        do {
            return try HubName(text)
        } catch {
            throw CommandFailure(.configuration, "The hub's name is no good. \(error)")
        }
    }

    /// Reads what a setting names.
    ///
    /// - Throws: ``CommandFailure`` when it is no good.
    static func connection(
        _ text: String, name: String?, from setting: String, host: String?
    ) throws -> HubConnection {
        let string: ConnectionString
        do {
            string = try ConnectionString(parsing: text)
        } catch {
            throw CommandFailure(
                .configuration, "The connection string in \(setting) is no good. \(error)")
        }
        let hubName = try name.map(hubName) ?? string.hubName
        guard let hubName else {
            throw CommandFailure(
                .configuration,
                "The hub has no name. Set HUBSEND_HUB_NAME, or hub.name in the config file.")
        }
        return HubConnection(
            connectionString: string, name: hubName,
            identity: HubIdentity(host: host ?? string.endpoint.host, name: hubName.rawValue),
            setting: setting)
    }
}
