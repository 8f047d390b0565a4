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
        case .remote(let secret, let name, _):
            guard let text = try secret.textWithoutCommands() else {
                return try Self.describer(named: name, for: program)
            }
            let string = try Self.connectionString(text, from: secret.setting)
            // Without a name, the hub stays open: a preview asks nobody.
            return HubPushDescriber(
                endpoint: string.endpoint, hubName: try name.map(Self.hubName) ?? string.hubName,
                userAgent: program.userAgent)
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
        case .remote(let secret, let name, _):
            guard let text = try secret.textWithoutCommands() else { return nil }
            let string = try Self.connectionString(text, from: secret.setting)
            guard let known = try name.map(Self.hubName) ?? string.hubName else { return nil }
            return HubIdentity(of: known, at: string.endpoint)
        case .local:
            return HubIdentity(host: Self.embeddedHost, name: program.embeddedHub)
        }
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
