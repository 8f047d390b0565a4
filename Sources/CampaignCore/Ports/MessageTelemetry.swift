#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// Tells what the push services made of a message that the hub took.
///
/// NotificationHubs implements it. Every call throws ``HubInquiryFailure`` and nothing else.
package protocol MessageTelemetry: Sendable {
    /// Asks about a message.
    ///
    /// - Parameter message: its id, as the hub gave it.
    func fate(of message: String) async throws(HubInquiryFailure) -> MessageFate
}

/// What the push services made of a message.
package enum MessageFate: Hashable, Sendable {
    /// Nothing is known yet, or nothing any more: the hub does not know the message.
    case unknown
    /// It was for several people, so that it tells nothing of one of them.
    case shared
    /// It is over: the services' words, such as `Success` or `Success 2, WrongToken 1`, or the hub's, such as `NoTargetFound`.
    case ended(String)
}

/// Keeps what push services made of a run's messages.
///
/// Storage implements it. Every call throws when the store cannot be read or written.
package protocol TelemetryLedger: Sendable {
    /// The next accepted deliveries on a platform whose message the hub named and whose fate is not known, by number.
    ///
    /// - Parameters:
    ///   - number: the last one's of the page before, 0 at first.
    ///   - limit: how many at most; empty at the end.
    func untold(_ run: RunID, platform: Platform, after number: Int, limit: Int) async throws
        -> [SentMessage]
    /// Writes down what became of messages, so that nobody asks for them again; ``MessageFate/unknown`` is not kept.
    func record(
        _ fates: [(message: SentMessage, fate: MessageFate)], of run: RunID, at time: Date
    ) async throws
}

/// A message that the hub took for one delivery.
package struct SentMessage: Hashable, Sendable {
    package let platform: Platform
    /// The recipient's number in the run.
    package let number: Int
    /// The message's id at the hub.
    package let id: String

    package init(platform: Platform, number: Int, id: String) {
        self.platform = platform
        self.number = number
        self.id = id
    }
}
