#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// How a run sends: the `delivery` key, with the contract's defaults.
package struct DeliveryPolicy: Hashable, Sendable, Codable {
    /// Hub requests a second over all platforms; nil: unlimited.
    package var rate: Double?
    /// Requests in flight at once, 1 to 1,024.
    package var concurrency: Int
    /// Recipients that share one request when the payload is the same for all, 1 to 20.
    package var recipientsPerPush: Int
    package var retry: RetryLimits
    /// From the run's start; what is left then is skipped as too late.
    package var finishWithin: Duration
    /// What happens to a push whose answer was lost; nil: what is standard for the campaign's kind.
    package var onUnknown: UnknownPolicy?
    /// The share of bad ends at which the run pauses; nil: none.
    package var stopWhen: FailureLimit?
    /// Pushes that a person may get within a time; nil: any number.
    package var frequencyCap: FrequencyCap?

    package init(
        rate: Double? = 500, concurrency: Int = 64, recipientsPerPush: Int = 1,
        retry: RetryLimits = RetryLimits(), finishWithin: Duration = .seconds(24 * 60 * 60),
        onUnknown: UnknownPolicy? = nil, stopWhen: FailureLimit? = nil,
        frequencyCap: FrequencyCap? = nil
    ) {
        self.rate = rate
        self.concurrency = concurrency
        self.recipientsPerPush = recipientsPerPush
        self.retry = retry
        self.finishWithin = finishWithin
        self.onUnknown = onUnknown
        self.stopWhen = stopWhen
        self.frequencyCap = frequencyCap
    }
}

/// How often and how long one push is tried.
package struct RetryLimits: Hashable, Sendable, Codable {
    /// Tries of one push, the first included, 1 to 100.
    package var attempts: Int
    /// From the end of a push's first try to the start of its last.
    package var duration: Duration

    package init(attempts: Int = 5, duration: Duration = .seconds(15 * 60)) {
        self.attempts = attempts
        self.duration = duration
    }
}

/// What happens to a push whose answer was lost: it may have gone out.
package enum UnknownPolicy: String, CaseIterable, Hashable, Sendable, Codable {
    /// Send it again with the same id; devices treat the second as the first.
    case resend
    /// Leave it, with the outcome `unknown`.
    case hold

    /// The contract's default: nobody is shown a visible message twice.
    package static func standard(for kind: CampaignKind) -> UnknownPolicy {
        kind.isSilent ? .resend : .hold
    }
}

/// How many deliveries may end badly before the run pauses: the `stop_when` key.
///
/// Bad ends are `rejected`, `failed` and `unknown`. Counting starts again from 0 when a run is continued.
package struct FailureLimit: Hashable, Sendable, Codable {
    /// Ended deliveries before the share counts for anything, unless the file says otherwise.
    package static let standardMinimum = 100

    /// The share of the ended deliveries, in percent, 1 to 100.
    package var percent: Int
    /// Ended deliveries before the share counts for anything, at least 1.
    package var minimum: Int

    package init(percent: Int, minimum: Int = standardMinimum) {
        self.percent = percent
        self.minimum = minimum
    }
}

/// How often one person may be reached on one platform, across campaigns: the `frequency_cap` key.
///
/// Every push to the same hub that went out, may have gone out or is about to counts; those of rehearsals do not. It is looked at when a
/// push is first due: one that was begun is not held back on its retries.
package struct FrequencyCap: Hashable, Sendable, Codable {
    /// Pushes within the time, at least 1.
    package var pushes: Int
    /// The time, which ends when a push is due.
    package var period: Duration

    package init(pushes: Int, period: Duration) {
        self.pushes = pushes
        self.period = period
    }

    /// The beginning of the period that ends at a time.
    package func start(before time: Date) -> Date {
        time.addingTimeInterval(-(period / .seconds(1)))
    }
}

extension FrequencyCap: CustomStringConvertible {
    private static let units: [(name: String, seconds: Int64)] = [
        ("d", 24 * 60 * 60), ("h", 60 * 60), ("m", 60),
    ]

    /// As the campaign file writes it, such as `3 pushes per 1h`.
    package var description: String {
        let seconds = period.components.seconds
        let unit = Self.units.first { seconds % $0.seconds == 0 } ?? ("s", 1)
        return
            "\(pushes) \(pushes == 1 ? "push" : "pushes") per \(seconds / unit.seconds)\(unit.name)"
    }
}
