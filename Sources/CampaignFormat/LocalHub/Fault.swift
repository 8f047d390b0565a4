package import CampaignCore

/// A fault of the local hub, as a faults file describes it.
package struct Fault: Sendable, Hashable {
    package enum Effect: Sendable, Hashable {
        /// A response with a status from 400 to 599 and a `Retry-After` header in seconds.
        case status(Int, retryAfter: Int?)
        /// Closes the connection before or after the request takes effect.
        case drop(takesEffect: Bool)
        /// The hub never answers.
        case hang(takesEffect: Bool)
        case latency(Duration, jitter: Duration)
        /// Sends the response at this many bytes a second.
        case slow(Int)
        /// The push service does not know the handle.
        case wrongTokens
    }

    package enum Operations: String, Hashable, Sendable, CaseIterable {
        case sends
        case registrations
        case installations
        case telemetry
        case all
    }

    package let effect: Effect
    /// The share of requests or devices that is affected, above 0 and up to 1.
    package var share = 1.0
    package var operations = Operations.sends
    package var platform: Platform?
    package var first = 1
    package var last: Int?
    /// The fault applies to only one in this many requests, starting with the first.
    package var every = 1
    /// The time from the hub's start until the fault begins.
    package var after = Duration.zero
    /// The time from the hub's start until the fault ends; nil means never.
    package var until: Duration?

    init(_ effect: Effect) {
        self.effect = effect
    }
}
