import CampaignCore
import CampaignFormat
import LocalHub
import Logging
import NotificationHubs
import Settings

extension HubChoice {
    /// Stands for the embedded hub's host in the store, since its port changes each time.
    private static let embeddedHost = "local"

    /// Connects for the time of some work; starts the embedded hub, if it is one.
    ///
    /// - Parameters:
    ///   - logger: where hub and client log.
    ///   - body: the work.
    /// - Returns: what the work returns.
    /// - Throws: what the work throws; ``CommandEnd`` when the setting is wrong.
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
                        string, name: try Self.hubName(address.hubName), host: Self.embeddedHost,
                        setting: setting))
            }
        case .remote(let secret, let name, let route):
            return try await body(try await Self.connection(secret, name: name, by: route))
        }
    }

    /// Describes requests for a preview, which runs nothing; where the address is not known without that, it is left open.
    func describer() throws -> HubPushDescriber {
        switch self {
        case .remote(let secret, let name, _):
            guard let text = try secret.textWithoutCommands() else {
                return try Self.describer(named: name)
            }
            let string = try Self.connectionString(text, from: secret.setting)
            // Without a name it stays open: a preview asks nobody.
            return HubPushDescriber(
                endpoint: string.endpoint, hubName: try name.map(Self.hubName) ?? string.hubName,
                userAgent: Hubsend.userAgent)
        case .local:
            return try Self.describer(named: LocalHubConfiguration().hubName)
        }
    }

    /// The hub's identity in the store, as far as a preview may know it; nil where a command would have to fetch a secret, or
    /// the hub would have to be asked.
    ///
    /// - Throws: ``CommandEnd`` when the setting is wrong.
    func identity() throws -> HubIdentity? {
        switch self {
        case .remote(let secret, let name, _):
            guard let text = try secret.textWithoutCommands() else { return nil }
            let string = try Self.connectionString(text, from: secret.setting)
            guard let known = try name.map(Self.hubName) ?? string.hubName else { return nil }
            return HubConnection.identity(of: known, at: string.endpoint)
        case .local:
            return HubIdentity(host: Self.embeddedHost, name: LocalHubConfiguration().hubName)
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
            throw CommandEnd(.configuration, "The hub's name is wrong. \(error)")
        }
    }

    /// Connects to a hub at an address; asks one on this machine for its name, where nothing gives it.
    ///
    /// - Parameters:
    ///   - secret: the connection string.
    ///   - name: the hub's name, where a setting gives it.
    ///   - route: how the hub is reached.
    /// - Returns: the connection.
    /// - Throws: ``CommandEnd`` when a setting is wrong, or the hub does not say its name.
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
        var connection = HubConnection(string, name: name, setting: secret.setting)
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
        return try await LocalHubInquiry(
            endpoint: endpoint, setting: setting, trustRoots: trustRoots
        ).name()
    }

    /// Reads what a setting names.
    ///
    /// - Throws: ``CommandEnd`` when it is wrong.
    private static func connectionString(
        _ text: String, from setting: String
    ) throws -> ConnectionString {
        do {
            return try ConnectionString(parsing: text)
        } catch {
            throw CommandEnd(
                .configuration, "The connection string in \(setting) is wrong. \(error)")
        }
    }
}

extension HubConnection {
    /// - Parameters:
    ///   - string: where the hub is, and the right to use it.
    ///   - name: its name.
    ///   - host: what its host counts as; nil: the host itself.
    ///   - setting: which setting named it.
    fileprivate init(
        _ string: ConnectionString, name: HubName, host: String? = nil, setting: String
    ) {
        let identity =
            host.map { HubIdentity(host: $0, name: name.rawValue) }
            ?? Self.identity(of: name, at: string.endpoint)
        self.init(connectionString: string, name: name, identity: identity, setting: setting)
    }

    /// A hub's identity in the store.
    fileprivate static func identity(of name: HubName, at endpoint: HubEndpoint) -> HubIdentity {
        // A local hub has several names, one for each port and protocol.
        HubIdentity(host: endpoint.isLoopback ? "127.0.0.1" : endpoint.host, name: name.rawValue)
    }
}
