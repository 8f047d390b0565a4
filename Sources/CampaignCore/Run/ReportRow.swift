#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

package struct ReportRow: Hashable, Sendable {
    package var recipient: Username
    package var platform: Platform
    package var notification: NotificationID
    package var outcome: Outcome
    /// The status and reason; may be empty.
    package var detail: String
    package var hubMessage: String?
    package var attempts: Int
    package var recordedAt: Date?
    /// nil if the fate was not queried, is not known, or cannot be told because the request had
    /// several recipients.
    package var pushServices: String?
    /// The first fetch on any device.
    package var fetchedAt: Date?
    /// The first time it was read.
    package var readAt: Date?
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
