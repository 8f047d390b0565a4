import CampaignFormat
import LocalHub

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
