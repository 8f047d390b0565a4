import CampaignCore

/// A time in which the hub serves nobody: one push at a time finds out whether it is back.
///
/// Pushes that were handed over together count as one failure when they come back, however many they are. It knows the time only
/// from its caller.
struct HubOutage: Sendable {
    /// The trouble that the last try met.
    private(set) var trouble: HubTrouble
    /// When it began, on the run's timeline.
    let since: Duration
    private var tries = 1
    private var lastFailure: Duration
    private var nextProbe: Duration
    /// When the push went out whose result is waited for; nil: none is out.
    private var probe: Duration?

    /// Begins with a failure.
    ///
    /// - Parameters:
    ///   - trouble: what went wrong.
    ///   - now: the time.
    ///   - wait: until the next push finds out.
    init(_ trouble: HubTrouble, at now: Duration, wait: Duration) {
        self.trouble = trouble
        self.since = now
        self.lastFailure = now
        self.nextProbe = now + wait
    }

    /// What may go out.
    var access: HubAccess { probe == nil ? .probe(from: nextProbe) : .closed }

    /// The number of the next wait, from 1.
    var retry: Int { tries }

    /// A push went out to find out.
    mutating func probed(at time: Duration) {
        probe = time
    }

    /// A push came back, with whatever result.
    ///
    /// - Parameter sent: when it was handed over.
    mutating func returned(sentAt sent: Duration) {
        if sent == probe { probe = nil }
    }

    /// A push failed.
    ///
    /// That counts when it went out after the last failure was known.
    ///
    /// - Returns: whether it counts; then the next wait is to be set with ``wait(_:from:)``.
    mutating func failed(_ trouble: HubTrouble, sentAt sent: Duration, at now: Duration) -> Bool {
        guard sent > lastFailure else { return false }
        self.trouble = trouble
        tries += 1
        lastFailure = now
        return true
    }

    /// Sets the wait until the next push finds out.
    mutating func wait(_ wait: Duration, from now: Duration) {
        nextProbe = now + wait
    }

    /// Whether the hub was tried as often or as long as allowed.
    ///
    /// At least one push after the first must have failed: the trouble of the push that began the outage may have been its own.
    func isExhausted(_ limits: RetryLimits) -> Bool {
        tries > 1 && (tries >= limits.attempts || nextProbe - since > limits.duration)
    }
}

/// What may go out to a hub.
enum HubAccess: Hashable, Sendable {
    /// Whatever there is.
    case open
    /// One push from that time on, to find out whether the hub is back.
    case probe(from: Duration)
    /// Nothing, until the push that finds out has its result.
    case closed
}
