import CampaignCore
package import NotificationHubs
package import Settings

// What is known of a hub without connecting to it.
extension HubChoice {
    /// Stands for the embedded hub's host in the store, since its port changes each time.
    static let embeddedHost = "local"

    /// Describes requests for a preview, which runs no command.
    ///
    /// If the hub's address is not known without running one, the description leaves it open.
    ///
    /// - Parameter program: the program that makes the requests.
    /// - Throws: ``OperationFault`` when a setting is wrong; `SettingFault` when a secret cannot be had.
    func describer(for program: HubCaller) throws -> HubPushDescriber {
        switch self {
        case .remote(let secret, let name, let route):
            guard let text = try secret.textWithoutCommands() else {
                return try Self.describer(named: name?.name, for: program)
            }
            let (string, known) = try Self.hub(text, from: secret.setting, name: name, route)
            // Without a name, the hub stays open: a preview asks nobody.
            return HubPushDescriber(
                endpoint: string.endpoint, hubName: known, userAgent: program.userAgent)
        case .local:
            return try Self.describer(named: program.embeddedHub, for: program)
        }
    }

    /// Describes requests to a hub whose address is not known.
    ///
    /// - Throws: ``OperationFault/unusableHubName(why:)``.
    static func describer(
        named name: String?, for program: HubCaller
    ) throws(OperationFault) -> HubPushDescriber {
        HubPushDescriber(
            endpoint: nil, hubName: try name.map(hubName), userAgent: program.userAgent)
    }

    /// The hub's identity in the store; nil when only a command or the hub itself could tell it, which a preview does not ask.
    ///
    /// - Parameter program: the program that carries the embedded hub.
    /// - Throws: ``OperationFault`` when a setting is wrong; `SettingFault` when a secret cannot be had.
    func identity(for program: HubCaller) throws -> HubIdentity? {
        switch self {
        case .remote(let secret, let name, let route):
            guard let text = try secret.textWithoutCommands() else { return nil }
            let (string, known) = try Self.hub(text, from: secret.setting, name: name, route)
            return known.map { HubIdentity(of: $0, at: string.endpoint) }
        case .local:
            return HubIdentity(host: Self.embeddedHost, name: program.embeddedHub)
        }
    }

    /// Reads which hub the settings lead to together.
    ///
    /// - Parameters:
    ///   - text: the connection string.
    ///   - setting: which setting gives it.
    ///   - naming: the name that another setting gives; nil: none does.
    ///   - route: how the hub is reached.
    /// - Returns: the connection string, and the hub's name if it is known.
    /// - Throws: ``OperationFault`` when one of them is wrong, `SettingFault` when they are about different hubs.
    package static func hub(
        _ text: String, from setting: String, name naming: HubNaming?, _ route: HubRoute
    ) throws -> (string: ConnectionString, name: HubName?) {
        let string = try connectionString(text, from: setting)
        if !string.endpoint.isLoopback {
            try route.refuseDistant(string.endpoint.host, from: setting)
        }
        guard let naming else { return (string, string.hubName) }
        let name = try hubName(naming.name)
        // The service does not tell capitals from small letters in it.
        if let path = string.hubName?.rawValue, path.lowercased() != naming.name.lowercased() {
            throw SettingFault.severalHubs(path: path, setting: setting, naming)
        }
        return (string, name)
    }

    /// Reads a hub's name.
    ///
    /// - Throws: ``OperationFault/unusableHubName(why:)``.
    package static func hubName(_ text: String) throws(OperationFault) -> HubName {
        do {
            return try HubName(text)
        } catch {
            throw .unusableHubName(why: "\(error)")
        }
    }

    /// Reads what a setting names.
    ///
    /// - Throws: ``OperationFault/unusableConnectionString(setting:why:)``.
    package static func connectionString(
        _ text: String, from setting: String
    ) throws(OperationFault) -> ConnectionString {
        do {
            return try ConnectionString(parsing: text)
        } catch {
            throw .unusableConnectionString(setting: setting, why: "\(error)")
        }
    }
}

extension HubIdentity {
    /// The identity by which runs at different hubs are told apart.
    init(of name: HubName, at endpoint: HubEndpoint) {
        // A local hub has several names, one for each port and protocol.
        self.init(host: endpoint.isLoopback ? "127.0.0.1" : endpoint.host, name: name.rawValue)
    }
}
