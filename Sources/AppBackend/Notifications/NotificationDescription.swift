import CampaignCore

/// What a notification is, without its payload, for the person that it was sent to.
struct NotificationDescription {
    private let received: ReceivedNotification

    init(_ received: ReceivedNotification) {
        self.received = received
    }

    /// Writes it.
    ///
    /// - Parameter byteCount: the payload's length; nil where it was not looked up, and then there
    ///   is no `Bytes`.
    /// - Returns: a JSON object.
    func json(byteCount: Int? = nil) -> [UInt8] {
        let notification = received.notification
        var json = JSONObject()
        json.add("Id", notification.id.text)
        json.add("Kind", notification.kind.rawValue)
        json.add("RichType", notification.type)
        json.add("Message", notification.message)
        json.add("MediaType", notification.mediaType)
        if let byteCount { json.add("Bytes", byteCount) }
        json.add("Created", UTCTime.text(notification.created))
        json.add("Expires", UTCTime.text(notification.expires))
        json.add("Read", received.read != nil)
        return json.text
    }
}
