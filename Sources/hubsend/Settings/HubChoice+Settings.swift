import CampaignFormat

extension HubChoice {
    /// Reads which hub is meant; nil when nothing names one.
    init?(invocation: Invocation, config: Config?, name: String?) {
        let route = HubRoute(invocation)
        if let secret = Secret.inEnvironment(Secret.connectionString, of: invocation) {
            self = .remote(secret, name: name, route: route)
            return
        }
        guard let config, let hub = config.hub else { return nil }
        switch hub {
        case .local(let devices):
            self = .local(devices: devices, folder: config.folder)
        case .remote(let source?, _):
            self = .remote(Secret(source), name: name, route: route)
        case .remote(nil, _):
            return nil
        }
    }
}

extension HubSetting {
    /// The hub's name, where the config gives it.
    var name: String? {
        if case .remote(_, let name) = self { name } else { nil }
    }

    /// The devices file of a hub inside the process.
    var devices: String? {
        if case .local(let devices) = self { devices } else { nil }
    }

    /// The file that it names: a key, or devices with their handles.
    var file: String? {
        switch self {
        case .local(let devices): devices
        case .remote(.file(let path), _): path
        case .remote: nil
        }
    }
}

extension Secret {
    /// Where a config says that the connection string is.
    fileprivate init(_ source: HubSetting.ConnectionString) {
        switch source {
        case .text(let text): self = .value(text.value, from: "hub.connection_string")
        case .file(let path): self = .file(path, from: "hub.connection_string_file")
        case .command(let command): self = .command(command, from: "hub.connection_string_command")
        }
    }
}
