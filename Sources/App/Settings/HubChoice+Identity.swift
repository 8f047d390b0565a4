import CampaignCore
import NotificationHubs

// What is known about a hub without connecting to it.
extension HubChoice {
    /// Describes the hub for a preview's requests, without running a command.
    ///
    /// If only a command could provide the hub's address, the requests have a placeholder for it.
    func describer() throws -> HubPushDescriber {
        switch self {
        case .remote(let secret, let name, let route):
            guard let text = try secret.textWithoutCommands() else {
                return try Self.describer(named: name?.name)
            }
            let (string, known) = try Self.hub(text, from: secret.setting, name: name, route)
            // A missing name is not an error here, because a preview makes no requests.
            return HubPushDescriber(
                endpoint: string.endpoint, hubName: known, userAgent: Hubsend.userAgent)
        case .local(_, _, let conflict):
            if let conflict { throw conflict }
            return try Self.describer(named: HubChoice.embeddedHub)
        }
    }

    /// Describes requests to a hub whose address is unknown.
    static func describer(
        named name: String?
    ) throws(Refused) -> HubPushDescriber {
        HubPushDescriber(
            endpoint: nil, hubName: try name.map(hubName), userAgent: Hubsend.userAgent)
    }

    /// The hub's identity in the store; nil if only a command or the hub itself could provide it.
    func identity() throws -> HubIdentity? {
        switch self {
        case .remote(let secret, let name, let route):
            guard let text = try secret.textWithoutCommands() else { return nil }
            let (string, known) = try Self.hub(text, from: secret.setting, name: name, route)
            return known.map { HubIdentity(of: $0, at: string.endpoint) }
        case .local(_, _, let conflict):
            if let conflict { throw conflict }
            return HubIdentity(host: HubIdentity.embeddedHost, name: HubChoice.embeddedHub)
        }
    }

    /// Reads the hub from all settings; throws if a setting is invalid or if they name different
    /// hubs.
    static func hub(
        _ text: String, from setting: String, name naming: HubNaming?, _ route: HubRoute
    ) throws -> (string: ConnectionString, name: HubName?) {
        let string = try connectionString(text, from: setting)
        if !string.endpoint.isLoopback {
            try route.refuseRemote(string.endpoint.host, from: setting)
        }
        guard let naming else { return (string, string.hubName) }
        let name = try hubName(naming.name)
        // The service ignores case in hub names.
        if let path = string.hubName?.rawValue, path.lowercased() != naming.name.lowercased() {
            throw Refused(
                """
                \(setting) is for the hub \(path) (its EntityPath), but \(naming.setting) names the hub \
                \(VisibleText.escape(naming.name)). Correct one of them.
                """)
        }
        return (string, name)
    }

    static func hubName(_ text: String) throws(Refused) -> HubName {
        do {
            return try HubName(text)
        } catch {
            throw Refused("The hub's name is wrong. \(error)")
        }
    }

    static func connectionString(
        _ text: String, from setting: String
    ) throws(Refused) -> ConnectionString {
        do {
            return try ConnectionString(parsing: text)
        } catch {
            throw Refused("The connection string in \(setting) is wrong. \(error)")
        }
    }
}

extension HubIdentity {
    /// Returns the identity that distinguishes runs at different hubs.
    init(of name: HubName, at endpoint: HubEndpoint) {
        // A local hub is reachable under several addresses.
        self.init(host: endpoint.isLoopback ? "127.0.0.1" : endpoint.host, name: name.rawValue)
    }
}
