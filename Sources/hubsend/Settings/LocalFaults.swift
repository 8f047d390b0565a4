import CampaignCore
import CampaignFormat
import LocalHub

/// Reads what shall go wrong with the local hub.
enum LocalFaults {
    /// The rules of flags and of a file: those of the flags come first.
    ///
    /// - Throws: `InputFileError` or ``ConfigFaults``.
    static func read(flags: [String], file: String?) throws -> [FaultRule] {
        var rules: [FaultRule] = []
        for flag in flags { rules += try checked(FaultsFile.read(text: flag, from: "--fault")) }
        if let file { rules += try checked(FaultsFile.read(file)) }
        return rules
    }

    private static func checked(_ loaded: LoadedFaults) throws -> [FaultRule] {
        guard let faults = loaded.faults else { throw ConfigFaults(findings: loaded.diagnostics) }
        return faults.map(FaultRule.init)
    }
}

extension FaultRule {
    /// The hub's rule for a fault out of a file.
    init(_ fault: Fault) {
        self.init(FaultEffect(fault.effect))
        share = fault.share
        scope = FaultScope(rawValue: fault.operations) ?? .sends
        platforms = fault.platform.flatMap { LocalHubPlatform(name: $0.rawValue) }.map { [$0] }
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
