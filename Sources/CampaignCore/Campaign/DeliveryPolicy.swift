#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// How a run sends: the `delivery` key.
package struct DeliveryPolicy: Hashable, Sendable, Codable {
    /// Hub requests per second for all platforms together; nil means unlimited.
    package var rate: Double?
    /// The number of requests in flight, 1 to 1,024.
    package var concurrency: Int
    /// How many recipients share a request if the payload is the same for all, 1 to 20.
    package var recipientsPerPush: Int
    package var retry: RetryLimits
    /// Measured from the run's start; deliveries that remain after this time are skipped as too
    /// late.
    package var finishWithin: Duration
    /// What happens to a push whose answer was lost; nil means the default of the campaign's kind.
    package var onUnknown: UnknownPolicy?
    package var stopWhen: FailureLimit?
    /// nil means no limit.
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

package struct RetryLimits: Hashable, Sendable, Codable {
    /// The maximum number of tries, including the first, 1 to 100.
    package var attempts: Int
    /// The maximum time from the end of a push's first try to the start of its last try.
    package var duration: Duration

    package init(attempts: Int = 5, duration: Duration = .seconds(15 * 60)) {
        self.attempts = attempts
        self.duration = duration
    }
}

/// What happens to a push whose answer was lost, and which may have gone out.
package enum UnknownPolicy: String, CaseIterable, Hashable, Sendable, Codable {
    /// Send again with the same ID; devices ignore the second push.
    case resend
    /// Do not send again, because people could see a visible message twice.
    case hold

    package static func standard(for kind: CampaignKind) -> UnknownPolicy {
        kind.isSilent ? .resend : .hold
    }
}

/// How many failures pause a run: the `stop_when` key.
///
/// Failures are `rejected`, `failed` and `unknown` deliveries. Counting starts again at 0 when a
/// run is continued.
package struct FailureLimit: Hashable, Sendable, Codable {
    package static let standardMinimum = 100

    /// The percentage of the deliveries that have ended, 1 to 100.
    package var percent: Int
    /// How many deliveries must have ended before the percentage is checked, at least 1.
    package var minimum: Int

    package init(percent: Int, minimum: Int = standardMinimum) {
        self.percent = percent
        self.minimum = minimum
    }
}

/// The maximum number of pushes to one person on one platform, across campaigns: the
/// `frequency_cap` key.
///
/// Pushes through the same hub are counted if they were sent, may have been sent or are about to be
/// sent. Rehearsals are not counted. The cap is checked when a push is first due, but not before
/// retries.
package struct FrequencyCap: Hashable, Sendable, Codable {
    /// The number of pushes, at least 1.
    package var pushes: Int
    /// The period before a push is due.
    package var period: Duration

    package init(pushes: Int, period: Duration) {
        self.pushes = pushes
        self.period = period
    }

    package func start(before time: Date) -> Date {
        time.addingTimeInterval(-(period / .seconds(1)))
    }
}

extension FrequencyCap: CustomStringConvertible {
    /// Text such as `3 pushes per 1h`.
    package var description: String {
        "\(pushes) \(pushes == 1 ? "push" : "pushes") per \(Durations.written(period))"
    }
}
