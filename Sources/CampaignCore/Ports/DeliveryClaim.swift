/// One delivery that was marked as `sending` and may now go out.
package struct DeliveryClaim: Hashable, Sendable {
    /// The recipient's number in the run, from 1 in name order.
    package var number: Int
    package var username: Username
    package var notification: NotificationID
    /// `richType`, rendered.
    package var type: String?
    /// The message, rendered.
    package var message: String?
    /// Tries made before.
    package var attempts: Int
    /// Whether an earlier try may have gone out.
    package var isUncertain: Bool
    /// Whether the payload was taken back, so that nobody could fetch it.
    package var isRevoked: Bool

    package init(
        number: Int, username: Username, notification: NotificationID, type: String?,
        message: String?, attempts: Int, isUncertain: Bool, isRevoked: Bool = false
    ) {
        self.number = number
        self.username = username
        self.notification = notification
        self.type = type
        self.message = message
        self.attempts = attempts
        self.isUncertain = isUncertain
        self.isRevoked = isRevoked
    }
}
