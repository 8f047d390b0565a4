package import LocalHub
package import Settings

// What flags and variables of `hubsend hub` make of a hub.
extension LocalHubConfiguration {
    /// The variable with the hub's own keys, for whoever lets it listen beyond this machine.
    static let keysVariable = "HUBSEND_LOCAL_HUB_KEYS"

    /// Whether the keys are their owner's secrets, and not the published ones.
    var usesOwnKeys: Bool { rules != LocalHubRule.development }

    /// Takes the host to listen on, and the keys that the environment gives; beyond this machine only with these.
    ///
    /// - Parameters:
    ///   - address: where to listen; nil: on the usual host.
    ///   - invocation: the environment.
    /// - Throws: `SettingFault` when the keys cannot be had or are missing, `LocalHubError` when they cannot be read.
    package mutating func listen(on address: HostAndPort?, _ invocation: Invocation) async throws {
        if let address { host = address.host }
        if let secret = Secret.inEnvironment(Self.keysVariable, of: invocation) {
            rules = try LocalHubRule.read(try await secret.text(), from: secret.setting)
        } else if let address, !Self.isLoopback(address) {
            throw SettingFault.publishedKeys(host: address.host, setting: Self.keysVariable)
        }
    }

    /// Keeps what clients put into the hub in a file.
    ///
    /// - Parameters:
    ///   - path: the file as `--state` names it; nil: nothing is kept.
    ///   - invocation: what the path is relative to.
    /// - Throws: `SettingFault` when it is empty.
    package mutating func keepState(in path: String?, _ invocation: Invocation) throws {
        stateFile = try path.map { try invocation.file($0, of: "--state") }
    }

    /// Whether only this machine can reach an address.
    private static func isLoopback(_ address: HostAndPort) -> Bool {
        LocalHubAddress(host: address.host, port: address.port, hubName: "").isLoopback
    }
}

extension Invocation {
    /// The file that a flag names, absolute.
    ///
    /// - Throws: `SettingFault` when the flag names none.
    func file(_ path: String, of flag: String) throws(SettingFault) -> String {
        guard !path.isEmpty else { throw .emptyPath(flag: flag) }
        return absolute(path)
    }
}
