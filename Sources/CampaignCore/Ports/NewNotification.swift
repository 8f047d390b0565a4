/// A payload to be stored, rendered.
package struct NewNotification: Hashable, Sendable {
    package var id: NotificationID
    package var type: String?
    package var message: String?
    package var content: NotificationContent

    package init(
        id: NotificationID, type: String?, message: String?, content: NotificationContent
    ) {
        self.id = id
        self.type = type
        self.message = message
        self.content = content
    }
}
