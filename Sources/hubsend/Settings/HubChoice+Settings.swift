import CampaignFormat

extension HubChoice {
    /// Reads which hub is meant; nil when nothing names one.
    init?(invocation: Invocation, config: Config?) {
        let name = invocation["HUBSEND_HUB_NAME"]
        if let secret = Secret.inEnvironment("HUBSEND_HUB_CONNECTION_STRING", of: invocation) {
            self = .remote(secret, name: name ?? config?.hub?.name)
            return
        }
        switch config?.hub {
        case .local(let devices):
            self = .local(devices: devices)
        case .remote(let source?, let configured):
            self = .remote(Secret(source), name: name ?? configured)
        case .remote(nil, _), nil:
            return nil
        }
    }
}

extension HubSetting {
    /// The hub's name, where the config gives it.
    fileprivate var name: String? {
        if case .remote(_, let name) = self { name } else { nil }
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
