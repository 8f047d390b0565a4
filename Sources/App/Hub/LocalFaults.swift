import CampaignFormat
import LocalHub

/// Reads the faults of the local hub.
enum LocalFaults {
    /// The rules from flags, then the rules from files.
    static func read(flags: [String], files: [String]) throws -> [FaultRule] {
        var loaded: [LoadedFaults] = []
        for (index, flag) in flags.enumerated() {
            let name = flags.count == 1 ? "--fault" : "--fault (number \(index + 1))"
            loaded.append(FaultsFile.read(text: flag, from: name))
        }
        for file in files { loaded.append(try FaultsFile.read(file)) }
        let rules = loaded.compactMap(\.faults)
        guard rules.count == loaded.count else {
            throw ConfigErrors(findings: loaded.flatMap(\.diagnostics))
        }
        return rules.flatMap(\.self).map(FaultRule.init)
    }

    /// The rules set while the hub runs, from a faults file in YAML or JSON or from a fault written
    /// as for `--fault`.
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
    fileprivate init(_ fault: Fault) {
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
    fileprivate init(_ effect: Fault.Effect) {
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
    fileprivate init(_ operations: Fault.Operations) {
        switch operations {
        case .sends: self = .sends
        case .registrations: self = .registrations
        case .installations: self = .installations
        case .telemetry: self = .telemetry
        case .all: self = .all
        }
    }
}
