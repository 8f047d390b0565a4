import CampaignCore

/// An outage of the hub, during which one push at a time probes whether it is back.
///
/// Pushes that were sent together are counted as one failure. The caller passes the time.
struct HubOutage: Sendable {
    private(set) var trouble: HubTrouble
    /// When the outage started, on the run's timeline.
    let since: Duration
    private(set) var tries = 1
    private var lastFailure: Duration
    private var nextProbe: Duration
    /// When the probe was sent; nil if none is in flight.
    private var probe: Duration?

    init(_ trouble: HubTrouble, at now: Duration, wait: Duration) {
        self.trouble = trouble
        self.since = now
        self.lastFailure = now
        self.nextProbe = now + wait
    }

    var access: HubAccess { probe == nil ? .probe(from: nextProbe) : .closed }

    mutating func probed(at time: Duration) {
        probe = time
    }

    mutating func returned(sentAt sent: Duration) {
        if sent == probe { probe = nil }
    }

    /// Records a failed push.
    ///
    /// The failure is counted only if the push was sent after the previous failure was known.
    ///
    /// Returns whether the failure was counted; if so, call ``wait(_:from:)``.
    mutating func failed(_ trouble: HubTrouble, sentAt sent: Duration, at now: Duration) -> Bool {
        guard sent > lastFailure else { return false }
        self.trouble = trouble
        tries += 1
        lastFailure = now
        return true
    }

    mutating func wait(_ wait: Duration, from now: Duration) {
        nextProbe = now + wait
    }

    /// Whether the hub has been tried as often or for as long as the limits allow.
    ///
    /// This requires a second failed push, because the cause of the first failure may have been
    /// that push itself.
    func isExhausted(_ limits: RetryLimits) -> Bool {
        tries > 1 && (tries >= limits.attempts || nextProbe - since > limits.duration)
    }
}

enum HubAccess: Hashable, Sendable {
    case open
    /// One push may be sent from that time on, to probe whether the hub is back.
    case probe(from: Duration)
    /// Nothing may be sent until the result of the probe is known.
    case closed
}
