import NIOCore

/// How much a ``PushLoop`` does at once, and how long it waits.
struct PushLoopLimits {
    /// The most connections, and so requests in flight.
    let concurrency: Int
    /// The time for a push from its beginning to its answer.
    let requestTimeout: TimeAmount
    /// The time for a connection to be made.
    let connectTimeout: TimeAmount

    init(_ settings: HubClientSettings) {
        concurrency = settings.concurrency
        requestTimeout = TimeAmount(settings.requestTimeout)
        connectTimeout = TimeAmount(min(settings.connectTimeout, settings.requestTimeout))
    }

    /// How often deadlines are looked at: a push may take this much longer.
    var sweepInterval: TimeAmount {
        max(
            .milliseconds(1), min(.milliseconds(100), .nanoseconds(requestTimeout.nanoseconds / 20))
        )
    }
}
