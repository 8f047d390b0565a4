import CampaignCore

extension PushContent {
    /// What a push of a kind may say of a notification: secure only the id; rich also the type, and the message unless it
    /// is private; alert the message (contract, section 4).
    init(
        kind: CampaignKind, isMessagePrivate: Bool, notification: NotificationID, type: String?,
        message: String?
    ) {
        switch kind {
        case .secure:
            self.init(notification: notification)
        case .rich:
            self.init(
                notification: notification, type: type, message: isMessagePrivate ? nil : message)
        case .alert:
            self.init(notification: notification, message: message)
        }
    }
}
