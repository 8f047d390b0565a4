#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// One delivery as a report shows it.
package struct ReportRow: Hashable, Sendable {
    package var recipient: Username
    package var platform: Platform
    package var notification: NotificationID
    package var outcome: Outcome
    /// Status and reason; empty when there is nothing to say.
    package var detail: String
    /// The hub's message id, where it gave one.
    package var hubMessage: String?
    package var attempts: Int
    package var recordedAt: Date?
    /// What the push services made of it; nil: nobody asked, nobody knows, or others had a part in the request.
    package var pushServices: String?
    /// When the recipient first fetched the payload, on whichever device; nil: not yet.
    package var fetchedAt: Date?
    /// When the recipient first read it; nil: not yet.
    package var readAt: Date?
    /// When the payload was taken back; nil: it was not.
    package var revokedAt: Date?

    package init(
        recipient: Username, platform: Platform, notification: NotificationID, outcome: Outcome,
        detail: String, hubMessage: String?, attempts: Int, recordedAt: Date?,
        pushServices: String? = nil, fetchedAt: Date? = nil, readAt: Date? = nil,
        revokedAt: Date? = nil
    ) {
        self.recipient = recipient
        self.platform = platform
        self.notification = notification
        self.outcome = outcome
        self.detail = detail
        self.hubMessage = hubMessage
        self.attempts = attempts
        self.recordedAt = recordedAt
        self.pushServices = pushServices
        self.fetchedAt = fetchedAt
        self.readAt = readAt
        self.revokedAt = revokedAt
    }
}
