/// The backend's description of a notification, without its content.
public struct NotificationMetadata: Hashable, Sendable {
    /// The id of the notification.
    public let id: NotificationID
    /// Whether the notification is rich and not secure.
    public let isRich: Bool
    /// The type, which tells the app how to show the content.
    public let type: String?
    /// The text to show first.
    public let message: String?
    /// The title, link and additional keys.
    public let extras: NotificationExtras
    /// The media type of the content, such as `image/png`.
    public let mediaType: String?
    /// Whether this user has read the notification.
    public let isRead: Bool
}

extension NotificationMetadata: Decodable {
    private enum CodingKeys: String, CodingKey {
        case id = "Id"
        case kind = "Kind"
        case type = "RichType"
        case message = "Message"
        case mediaType = "MediaType"
        case isRead = "Read"
    }

    /// Reads the backend's JSON.
    public init(from decoder: any Decoder) throws {
        let object = try decoder.container(keyedBy: CodingKeys.self)
        guard let id = NotificationID(try object.decode(String.self, forKey: .id)) else {
            throw DecodingError.dataCorruptedError(
                forKey: .id, in: object, debugDescription: "It is not a notification id.")
        }
        self.id = id
        isRich = try object.decode(String.self, forKey: .kind) == "rich"
        type = try object.decodeIfPresent(String.self, forKey: .type)
        message = try object.decodeIfPresent(String.self, forKey: .message)
        extras = try NotificationExtras(from: decoder)
        mediaType = try object.decodeIfPresent(String.self, forKey: .mediaType)
        isRead = try object.decode(Bool.self, forKey: .isRead)
    }
}

/// A page of a user's notifications, newest first.
public struct NotificationPage: Sendable {
    /// The notifications.
    public let notifications: [NotificationMetadata]
    /// The position of the next page; nil on the last page.
    public let next: NotificationID?

    /// - Parameter link: the `Link` header (RFC 8288), which contains the address of the next page.
    init(_ notifications: [NotificationMetadata], link: String?) {
        self.notifications = notifications
        next = link?.contains("rel=\"next\"") == true ? notifications.last?.id : nil
    }
}
