import ArgumentParser
import CampaignCore
import CampaignFormat
import Files
import LocalHub

struct LocalHubOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("A file of devices to register at startup.", valueName: "file"),
        completion: .yamlFiles)
    var devices: String?

    @Option(
        name: .customLong("fault"), parsing: .singleValue,
        help: ArgumentHelp(
            "A fault to inject, such as 'status: 500, share: 5%'; may be repeated.",
            valueName: "fault"))
    var faultTexts: [String] = []

    @Option(
        name: .customLong("faults"), parsing: .singleValue,
        help: ArgumentHelp("A file of faults to inject; may be repeated.", valueName: "file"),
        completion: .yamlFiles)
    var faultFiles: [String] = []

    @Option(
        help: ArgumentHelp(
            "The seed for random faults; the same seed produces the same faults.",
            valueName: "number")
    )
    var seed: UInt64 = 1

    /// A hub with these options on a free port of this machine.
    func configuration(_ invocation: Invocation) throws -> LocalHubConfiguration {
        var configuration = LocalHubConfiguration()
        if let devices {
            configuration.devices = try LocalDevices.read(invocation.absolute(devices))
        }
        configuration.faults = try LocalFaults.read(
            flags: faultTexts, files: faultFiles.map(invocation.absolute))
        configuration.readFaults = LocalFaults.read(body:)
        configuration.seed = seed
        configuration.limits.connections = try OpenFiles.connections(
            atMost: configuration.limits.connections)
        return configuration
    }
}

extension LocalHubConfiguration {
    /// The hub's own keys, which are required to listen on an address that other machines can
    /// reach.
    static let keysVariable = "HUBSEND_LOCAL_HUB_KEYS"

    /// Whether the keys are secret rather than the published ones.
    var usesOwnKeys: Bool { rules != LocalHubRule.development }

    /// Sets the host and the keys; if the environment has no keys, only loopback addresses are
    /// allowed.
    mutating func listen(on address: HostAndPort?, _ invocation: Invocation) async throws {
        if let address { host = address.host }
        if let secret = Secret.inEnvironment(Self.keysVariable, of: invocation) {
            rules = try LocalHubRule.read(try await secret.text(), from: secret.setting)
        } else if let address, !Self.isLoopback(address) {
            throw Refused(
                """
                --listen \(address.host) would let other machines connect, but the default keys of the local hub are \
                public. Set your own keys in \(Self.keysVariable) (see hubsend-hub(1)), or listen on 127.0.0.1.
                """)
        }
    }

    /// Saves what clients create at the hub in the file that `--state` names; nil saves nothing.
    mutating func keepState(in path: String?, _ invocation: Invocation) throws {
        stateFile = try path.map { try invocation.file($0, of: "--state") }
    }

    private static func isLoopback(_ address: HostAndPort) -> Bool {
        LocalHubAddress(host: address.host, port: address.port, hubName: "").isLoopback
    }
}

extension Invocation {
    /// The absolute path of the file that a flag names.
    func file(_ path: String, of flag: String) throws(Refused) -> String {
        guard !path.isEmpty else { throw Refused("\(flag) does not name a file; give it a path.") }
        return absolute(path)
    }
}

enum LocalDevices {
    /// - Parameter folder: the config's folder, which links must not leave; nil if a flag names the
    ///   file.
    static func read(
        _ path: String, within folder: String? = nil
    ) throws -> [LocalHubDevice] {
        let loaded = try DevicesFile.read(path, within: folder)
        guard let devices = loaded.devices else { throw ConfigErrors(findings: loaded.diagnostics) }
        return devices.map { device in
            LocalHubDevice(
                user: device.user.text, platform: LocalHubPlatform(device.platform),
                handle: device.handle)
        }
    }
}

extension LocalHubPlatform {
    init(_ platform: Platform) {
        switch platform {
        case .apns: self = .apns
        case .fcm: self = .fcm
        case .wns: self = .wns
        case .adm: self = .adm
        case .browser: self = .browser
        }
    }
}
