package import CampaignCore

/// Something that goes wrong with the local hub, as a faults file says it.
package struct Fault: Sendable, Hashable {
    /// What goes wrong.
    package enum Effect: Sendable, Hashable {
        /// Another answer, 400 to 599, with `Retry-After` in seconds.
        case status(Int, retryAfter: Int?)
        /// The connection is closed, after the request took effect or before.
        case drop(takesEffect: Bool)
        /// There is no answer, after the request took effect or before.
        case hang(takesEffect: Bool)
        /// The answer comes later.
        case latency(Duration, jitter: Duration)
        /// The answer comes slowly, in bytes a second.
        case slow(Int)
        /// The push service does not know the handle.
        case wrongTokens
    }

    /// The requests that a fault looks at.
    package enum Operations: String, Hashable, Sendable, CaseIterable {
        case sends
        case registrations
        case installations
        case telemetry
        case all
    }

    /// What goes wrong.
    package let effect: Effect
    /// How many of the requests or devices, over 0 and up to 1.
    package var share = 1.0
    /// The requests that it looks at.
    package var operations = Operations.sends
    /// The push service; nil: all.
    package var platform: Platform?
    /// The first request that it holds for, counted from 1.
    package var first = 1
    /// The last one; nil: without end.
    package var last: Int?
    /// From the first on, only one of this many requests.
    package var every = 1
    /// How long after the hub's start it begins.
    package var after = Duration.zero
    /// How long after the hub's start it ends; nil: never.
    package var until: Duration?

    /// A fault of every send.
    ///
    /// - Parameter effect: what goes wrong.
    init(_ effect: Effect) {
        self.effect = effect
    }
}
