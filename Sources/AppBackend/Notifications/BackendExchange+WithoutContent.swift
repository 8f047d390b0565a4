import CampaignCore
import HTTPTypes
import HummingbirdCore

extension BackendExchange {
    /// What can be answered without reading a payload, which may be large: what it is, its header
    /// fields, or that the client has it.
    ///
    /// - Parameters:
    ///   - id: as the caller wrote it.
    ///   - isDescription: whether they ask what it is.
    /// - Returns: nil where the payload has to be read: it is encrypted, or the client lacks it.
    /// - Throws: ``BackendFailure``; what the store throws.
    func replyWithoutContent(
        to id: String, isDescription: Bool
    ) async throws -> BackendReply? {
        let received = try await receivedWithoutContent(id)
        let notification = received.notification
        guard notification.expires > environment.now() else {
            throw BackendFailure.notificationExpired
        }
        // Without a length it is encrypted, or was taken away; who reads it is told which.
        guard let byteCount = received.byteCount else { return nil }
        if isDescription {
            let json = NotificationDescription(received).json(byteCount: byteCount)
            return BackendReply(Response(json: json))
        }
        let content = ServedContent(notification, byteCount: byteCount)
        let unchanged = content.unchanged(ifNoneMatch: fields[.ifNoneMatch])
        return unchanged ?? (method == .head ? content.head() : nil)
    }
}
