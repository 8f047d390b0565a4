#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// How a run sends: the `delivery` key.
package struct DeliveryPolicy: Hashable, Sendable, Codable {
    /// Hub requests a second over all platforms; nil: unlimited.
    package var rate: Double?
    /// 1 to 1,024.
    package var concurrency: Int
    /// Recipients of one request if the payload is the same for all, 1 to 20.
    package var recipientsPerPush: Int
    package var retry: RetryLimits
    /// From the run's start; the rest is skipped as too late.
    package var finishWithin: Duration
    /// What happens after a lost answer; nil: the standard of the campaign's kind.
    package var onUnknown: UnknownPolicy?
    package var stopWhen: FailureLimit?
    /// nil: any number of pushes.
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
    /// Including the first, 1 to 100.
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
    /// Send again with the same id; devices ignore the second.
    case resend
    case hold

    /// Nobody is shown a visible message twice.
    package static func standard(for kind: CampaignKind) -> UnknownPolicy {
        kind.isSilent ? .resend : .hold
    }
}

/// How many bad ends pause a run: the `stop_when` key.
///
/// Bad ends are `rejected`, `failed` and `unknown`; counting starts again at 0 when a run is
/// continued.
package struct FailureLimit: Hashable, Sendable, Codable {
    package static let standardMinimum = 100

    /// Percent of the ended deliveries, 1 to 100.
    package var percent: Int
    /// Ended deliveries before the share counts, at least 1.
    package var minimum: Int

    package init(percent: Int, minimum: Int = standardMinimum) {
        self.percent = percent
        self.minimum = minimum
    }
}

/// Pushes to one person on one platform, across campaigns: the `frequency_cap` key.
///
/// Counts pushes to the same hub that went out, may have, or are about to, without rehearsals. It
/// is checked when a push is first due, not on its retries.
package struct FrequencyCap: Hashable, Sendable, Codable {
    /// At least 1.
    package var pushes: Int
    /// Ends when a push is due.
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
    /// Such as `3 pushes per 1h`.
    package var description: String {
        "\(pushes) \(pushes == 1 ? "push" : "pushes") per \(Durations.written(period))"
    }
}
