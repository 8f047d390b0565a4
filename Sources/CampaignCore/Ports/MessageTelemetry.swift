#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// Finds out what the push services did with a message that the hub accepted.
package protocol MessageTelemetry: Sendable {
    func fate(of message: String) async throws(HubInquiryFailure) -> MessageFate
}

package enum MessageFate: Hashable, Sendable {
    /// The hub does not know the result yet, or has already deleted it.
    case unknown
    /// The message went to several people, so its result says nothing about one person.
    case shared
    /// The final result of the push services, such as `Success 2, WrongToken 1`, or of the hub,
    /// such as `NoTargetFound`.
    case ended(String)
}

package protocol TelemetryLedger: Sendable {
    /// Returns the next accepted deliveries whose message has an ID but no recorded fate, ordered
    /// by number.
    ///
    /// Empty at the end. `number` is the last one of the previous page, 0 at first.
    func untold(_ run: RunID, platform: Platform, after number: Int, limit: Int) async throws
        -> [SentMessage]
    /// Records fates, so that they are not queried again. ``MessageFate/unknown`` is not recorded.
    func record(
        _ fates: [(message: SentMessage, fate: MessageFate)], of run: RunID, at time: Date
    ) async throws
}

package struct SentMessage: Hashable, Sendable {
    package let platform: Platform
    package let number: Int
    package let id: String

    package init(platform: Platform, number: Int, id: String) {
        self.platform = platform
        self.number = number
        self.id = id
    }
}
