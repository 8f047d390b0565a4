/// How a run sends: the `delivery` key, with the contract's defaults.
package struct DeliveryPolicy: Hashable, Sendable, Codable {
    /// Hub requests a second over all platforms; nil: unlimited.
    package var rate: Double?
    /// Requests in flight at once, 1 to 1,024.
    package var concurrency: Int
    package var retry: RetryPolicy
    /// From the run's start; what is left then is skipped as too late.
    package var finishWithin: Duration

    package init(
        rate: Double? = 500, concurrency: Int = 64, retry: RetryPolicy = RetryPolicy(),
        finishWithin: Duration = .seconds(24 * 60 * 60)
    ) {
        self.rate = rate
        self.concurrency = concurrency
        self.retry = retry
        self.finishWithin = finishWithin
    }
}
