import LocalHub

extension LocalHubConfiguration {
    /// The hub's own keys, needed to listen beyond this machine.
    static let keysVariable = "HUBSEND_LOCAL_HUB_KEYS"

    /// Whether the keys are secret, not the published ones.
    var usesOwnKeys: Bool { rules != LocalHubRule.development }

    /// Takes host and keys; without keys in the environment, only loopback is allowed.
    ///
    /// - Parameter address: nil: the usual host.
    mutating func listen(on address: HostAndPort?, _ invocation: Invocation) async throws {
        if let address { host = address.host }
        if let secret = Secret.inEnvironment(Self.keysVariable, of: invocation) {
            rules = try LocalHubRule.read(try await secret.text(), from: secret.setting)
        } else if let address, !Self.isLoopback(address) {
            throw SettingFault.publishedKeys(host: address.host, setting: Self.keysVariable)
        }
    }

    /// Keeps what clients put into the hub in a file.
    ///
    /// - Parameter path: as `--state` names it; nil: nothing is kept.
    mutating func keepState(in path: String?, _ invocation: Invocation) throws {
        stateFile = try path.map { try invocation.file($0, of: "--state") }
    }

    private static func isLoopback(_ address: HostAndPort) -> Bool {
        LocalHubAddress(host: address.host, port: address.port, hubName: "").isLoopback
    }
}

extension Invocation {
    /// The file that a flag names, absolute.
    func file(_ path: String, of flag: String) throws(SettingFault) -> String {
        guard !path.isEmpty else { throw .emptyPath(flag: flag) }
        return absolute(path)
    }
}
