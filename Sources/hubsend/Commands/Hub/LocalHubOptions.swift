import ArgumentParser
import CampaignCore
import CampaignFormat
import LocalHub
import Settings

/// What a local hub holds at its start, and what goes wrong with it.
struct LocalHubOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("A devices file: whom the hub knows from its start.", valueName: "file"),
        completion: .yamlFiles)
    var devices: String?

    @Option(
        name: .customLong("fault"), parsing: .singleValue,
        help: ArgumentHelp(
            "Something that goes wrong, such as 'status: 500, share: 5%'; may be repeated.",
            valueName: "fault"))
    var faultTexts: [String] = []

    @Option(
        name: .customLong("faults"), parsing: .singleValue,
        help: ArgumentHelp("A file with what goes wrong; may be repeated.", valueName: "file"),
        completion: .yamlFiles)
    var faultFiles: [String] = []

    @Option(
        help: ArgumentHelp(
            "What shares are drawn by: the same number fails in the same way.", valueName: "number")
    )
    var seed: UInt64 = 1

    /// A hub like that on a free port of this machine.
    ///
    /// - Parameter invocation: where relative paths begin.
    /// - Returns: the hub's configuration.
    /// - Throws: `InputFileError` or ``ConfigFaults`` when a file or a fault is wrong.
    func configuration(_ invocation: Invocation) throws -> LocalHubConfiguration {
        var configuration = LocalHubConfiguration()
        if let devices {
            configuration.devices = try LocalDevices.read(invocation.absolute(devices))
        }
        configuration.faults = try LocalFaults.read(
            flags: faultTexts, files: faultFiles.map(invocation.absolute))
        configuration.readFaults = LocalFaults.read(body:)
        configuration.seed = seed
        return configuration
    }
}

/// Reads a devices file for the local hub.
enum LocalDevices {
    /// The devices of a file.
    ///
    /// - Parameters:
    ///   - path: the file.
    ///   - folder: the folder of the config that names it, within which a link may lead; nil: a flag names it.
    /// - Returns: the devices.
    /// - Throws: `InputFileError` or ``ConfigFaults``.
    static func read(_ path: String, within folder: String? = nil) throws -> [LocalHubDevice] {
        let loaded = try DevicesFile.read(path, within: folder)
        guard let devices = loaded.devices else { throw ConfigFaults(findings: loaded.diagnostics) }
        return devices.map { device in
            LocalHubDevice(
                user: device.user.text, platform: LocalHubPlatform(device.platform),
                handle: device.handle)
        }
    }
}

/// Reads what shall go wrong with the local hub.
enum LocalFaults {
    /// The rules of flags and of files: those of the flags come first.
    ///
    /// - Throws: `InputFileError` or ``ConfigFaults``.
    static func read(flags: [String], files: [String]) throws -> [FaultRule] {
        var loaded: [LoadedFaults] = []
        for (index, flag) in flags.enumerated() {
            let name = flags.count == 1 ? "--fault" : "--fault (number \(index + 1))"
            loaded.append(FaultsFile.read(text: flag, from: name))
        }
        for file in files { loaded.append(try FaultsFile.read(file)) }
        let rules = loaded.compactMap(\.faults)
        guard rules.count == loaded.count else {
            throw ConfigFaults(findings: loaded.flatMap(\.diagnostics))
        }
        return rules.flatMap(\.self).map(FaultRule.init)
    }

    /// The rules that somebody gives while the hub runs.
    ///
    /// - Parameter body: a faults file in YAML or JSON, or one fault as a flag gives it.
    /// - Returns: the rules.
    /// - Throws: `UnreadableFaults` with the findings, which call the text `body`.
    static func read(body: String) throws(UnreadableFaults) -> [FaultRule] {
        let loaded = FaultsFile.read(fileOrFault: body, from: "body")
        guard let faults = loaded.faults else {
            let findings = TextDiagnosticRenderer().render(loaded.diagnostics.sorted())
            throw UnreadableFaults(explanation: String(findings.dropLast()))
        }
        return faults.map(FaultRule.init)
    }
}

extension FaultRule {
    /// The hub's rule for a fault out of a file.
    init(_ fault: Fault) {
        self.init(FaultEffect(fault.effect))
        share = fault.share
        scope = FaultScope(fault.operations)
        platforms = fault.platform.map { [LocalHubPlatform($0)] }
        first = fault.first
        last = fault.last
        every = fault.every
        after = fault.after
        until = fault.until
    }
}

extension FaultEffect {
    /// The hub's word for what goes wrong.
    init(_ effect: Fault.Effect) {
        switch effect {
        case .status(let status, let retryAfter):
            self = .answer(status: status, retryAfter: retryAfter)
        case .drop(let takesEffect): self = .drop(takesEffect: takesEffect)
        case .hang(let takesEffect): self = .hang(takesEffect: takesEffect)
        case .latency(let time, let jitter): self = .latency(time, jitter: jitter)
        case .slow(let rate): self = .slow(bytesPerSecond: rate)
        case .wrongTokens: self = .wrongTokens
        }
    }
}

extension FaultScope {
    /// The hub's word for the requests that a fault looks at.
    init(_ operations: Fault.Operations) {
        switch operations {
        case .sends: self = .sends
        case .registrations: self = .registrations
        case .installations: self = .installations
        case .telemetry: self = .telemetry
        case .all: self = .all
        }
    }
}

extension LocalHubPlatform {
    /// The hub's word for a platform.
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
