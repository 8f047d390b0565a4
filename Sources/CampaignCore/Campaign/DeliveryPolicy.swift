/// How a run sends: the `delivery` key, with the contract's defaults.
package struct DeliveryPolicy: Hashable, Sendable, Codable {
    /// Hub requests a second over all platforms; nil: unlimited.
    package var rate: Double?
    /// Requests in flight at once, 1 to 1,024.
    package var concurrency: Int
    /// Recipients that share one request when the payload is the same for all, 1 to 20.
    package var recipientsPerPush: Int
    package var retry: RetryPolicy
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
        retry: RetryPolicy = RetryPolicy(), finishWithin: Duration = .seconds(24 * 60 * 60),
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
