import CampaignCore

/// An outage of the hub: one push at a time finds out whether it is back.
///
/// Pushes handed over together count as one failure. The caller gives the time.
struct HubOutage: Sendable {
    private(set) var trouble: HubTrouble
    /// On the run's timeline.
    let since: Duration
    private(set) var tries = 1
    private var lastFailure: Duration
    private var nextProbe: Duration
    /// When the probe went out; nil: none is out.
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

    /// Counts only if the push went out after the last failure was known.
    ///
    /// Returns whether it counts; then call ``wait(_:from:)``.
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

    /// Whether the hub was tried as often or as long as allowed.
    ///
    /// Needs a second failed push: the first one's trouble may have been its own.
    func isExhausted(_ limits: RetryLimits) -> Bool {
        tries > 1 && (tries >= limits.attempts || nextProbe - since > limits.duration)
    }
}

enum HubAccess: Hashable, Sendable {
    case open
    /// One push from that time on finds out whether the hub is back.
    case probe(from: Duration)
    /// Nothing until the probe has its result.
    case closed
}
