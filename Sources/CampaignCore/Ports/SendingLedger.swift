#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// Hands out a run's deliveries and records their outcomes.
///
/// A delivery has no row until its page is claimed, unless it was skipped at staging. Claiming
/// makes it `sending`; after that, it is `waiting` or has ended.
package protocol SendingLedger: RunView {
    /// Lets several processes work on one run; nil if only the holder of the campaign's lock can.
    var sharing: (any RunSharing)? { get }
    /// Returns deliveries that an earlier process left as `sending`; they may have been sent.
    ///
    /// `attempts` includes the interrupted try, and `isUncertain` is set.
    func interrupted(_ run: RunID, platform: Platform, after number: Int, limit: Int) async throws
        -> [DeliveryClaim]
    /// Returns deliveries that wait for another try, ordered by number, up to `last` if it is
    /// given.
    func waiting(
        _ run: RunID, platform: Platform, after number: Int, through last: Int?, limit: Int
    ) async throws -> [DeliveryClaim]
    /// Durably marks the next untried deliveries as `sending`; empty at the end.
    ///
    /// In the same transaction, it skips people who have reached the cap, whose payload was
    /// revoked, or who have fetched the payload that a fallback follows. Two concurrent runs
    /// therefore cannot both use the last push that the cap leaves for a person.
    ///
    /// - Parameter limit: the maximum number to claim; a few thousand other deliveries may be
    /// skipped.
    func claimNext(
        _ run: RunID, platform: Platform, wave: Int?, limit: Int, cap: FrequencyCap?, at time: Date
    ) async throws -> ClaimedPage
    /// Durably marks waiting deliveries as `sending` again, at most 5,000 per transaction.
    func claimAgain(
        _ run: RunID, platform: Platform, numbers: [Int], at time: Date
    ) async throws
    /// Records outcomes and adds to the run's number of requests, in one transaction.
    func record(_ records: [DeliveryRecord], requests: Int, of run: RunID) async throws
}

extension SendingLedger {
    package var sharing: (any RunSharing)? { nil }

    package func claimNext(
        _ run: RunID, platform: Platform, limit: Int, cap: FrequencyCap?, at time: Date
    ) async throws -> ClaimedPage {
        try await claimNext(run, platform: platform, wave: nil, limit: limit, cap: cap, at: time)
    }
}

package struct ClaimedPage: Hashable, Sendable {
    package var claims: [DeliveryClaim]
    /// The number of deliveries that were skipped instead.
    package var skipped: Int
    /// Identifies the page to the part that claimed it; nil if the run is not shared.
    package var id: Int?

    package init(claims: [DeliveryClaim], skipped: Int = 0, id: Int? = nil) {
        self.claims = claims
        self.skipped = skipped
        self.id = id
    }

    package var isEmpty: Bool { claims.isEmpty && skipped == 0 }
}

/// What the pushes of a notification contain on one platform.
///
/// This is a class because most claims of a run share it, so that a claim copies one reference
/// instead of all texts.
package final class PushedNotification: Hashable, Sendable {
    package let id: NotificationID
    package let type: String?
    package let texts: Texts<String>
    package let link: String?
    package let data: [String: String]

    package init(
        id: NotificationID, type: String? = nil, texts: Texts<String> = Texts(),
        link: String? = nil, data: [String: String] = [:]
    ) {
        self.id = id
        self.type = type
        self.texts = texts
        self.link = link
        self.data = data
    }

    package static func == (left: PushedNotification, right: PushedNotification) -> Bool {
        left === right
            || left.id == right.id && left.type == right.type && left.texts == right.texts
                && left.link == right.link && left.data == right.data
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(id)
    }
}

/// A delivery that is marked as `sending` and may be sent now.
package struct DeliveryClaim: Hashable, Sendable {
    /// The recipient's number in the run, counted from 1, in order of wave and name.
    package var number: Int
    package var username: Username
    package var pushed: PushedNotification
    package var attempts: Int
    package var isUncertain: Bool
    package var isRevoked: Bool
    package var isShared: Bool

    package var notification: NotificationID { pushed.id }

    package func isLike(_ other: DeliveryClaim) -> Bool {
        // Within a page, claims with the same notification share the object; otherwise, IDs are
        // compared.
        pushed === other.pushed || notification == other.notification
    }

    package init(
        number: Int, username: Username, _ pushed: PushedNotification, attempts: Int,
        isUncertain: Bool, isRevoked: Bool = false, isShared: Bool = false
    ) {
        self.number = number
        self.username = username
        self.pushed = pushed
        self.attempts = attempts
        self.isUncertain = isUncertain
        self.isRevoked = isRevoked
        self.isShared = isShared
    }
}

package struct DeliveryRecord: Hashable, Sendable {
    package enum State: Hashable, Sendable {
        case waiting
        case ended(Outcome)
    }

    package var number: Int
    package var platform: Platform
    package var state: State
    /// Why the delivery was skipped, if it was skipped.
    package var skipReason: SkipReason?
    /// The number of tries, including this one.
    package var attempts: Int
    /// Whether a try may have sent the push but got no answer.
    package var isUncertain: Bool
    /// The status and reason, at most 200 characters without control characters.
    package var detail: String
    package var hubMessage: String?
    package var recordedAt: Date

    package init(
        number: Int, platform: Platform, state: State, skipReason: SkipReason? = nil,
        attempts: Int, isUncertain: Bool, detail: String, hubMessage: String?, recordedAt: Date
    ) {
        self.number = number
        self.platform = platform
        self.state = state
        self.skipReason = skipReason
        self.attempts = attempts
        self.isUncertain = isUncertain
        self.detail = detail
        self.hubMessage = hubMessage
        self.recordedAt = recordedAt
    }
}
