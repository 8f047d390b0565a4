/// A message with the request that brought it, as JSON shows it.
struct MessageDetails: Encodable {
    private enum CodingKeys: CodingKey {
        case request
    }

    /// The message.
    let message: Message
    /// What the hub knows of the send; nil: nothing any more.
    let notification: NotificationRecord?

    /// The members of the message, and the request, which is null when it is no longer known.
    func encode(to encoder: any Encoder) throws {
        try MessageReport(message).encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(notification.flatMap(RequestReport.init), forKey: .request)
    }
}
