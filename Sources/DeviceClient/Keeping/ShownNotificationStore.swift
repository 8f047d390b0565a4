/// Keeps, on the device, which notifications were shown, so that a push that comes twice is shown once.
public protocol ShownNotificationStore: Sendable {
    /// Whether a notification was shown.
    ///
    /// - Parameter id: the notification.
    /// - Returns: whether it is among those kept.
    /// - Throws: when the store cannot be read.
    func contains(_ id: NotificationID) async throws -> Bool
    /// Keeps that a notification was shown; the oldest one may be forgotten for it.
    ///
    /// - Parameter id: the notification.
    /// - Throws: when it cannot be kept.
    func insert(_ id: NotificationID) async throws
    /// Takes back that a notification was shown; no harm when it is not kept.
    ///
    /// - Parameter id: the notification.
    /// - Throws: when the store cannot be changed.
    func remove(_ id: NotificationID) async throws
}
