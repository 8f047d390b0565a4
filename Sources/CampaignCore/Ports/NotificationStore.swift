/// Keeps payloads for devices to fetch.
///
/// Storage has it.
package protocol NotificationStore: Sendable {
    /// A notification, whoever it was sent to; nil when there is none.
    func notification(_ id: NotificationID) async throws -> StoredNotification?
    /// A notification as one recipient may fetch it; nil when it does not exist or was not sent to them.
    func notification(_ id: NotificationID, for recipient: Username) async throws
        -> StoredNotification?
}
