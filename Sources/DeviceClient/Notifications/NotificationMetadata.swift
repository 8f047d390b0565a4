/// What the backend tells of a notification without its content.
public struct NotificationMetadata: Hashable, Sendable {
    /// Its id.
    public let id: NotificationID
    /// Whether a rich push names it; else a secure one does.
    public let isRich: Bool
    /// The word that the app decides by.
    public let type: String?
    /// What to show first.
    public let message: String?
    /// Title, link and further keys.
    public let extras: NotificationExtras
    /// What the content is, such as `image/png`.
    public let mediaType: String?
    /// Whether this user has read it.
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

    /// Reads what the backend writes.
    ///
    /// - Parameter decoder: where it stands.
    /// - Throws: `DecodingError` when the id is not valid, or a key is missing or of another type.
    public init(from decoder: any Decoder) throws {
        let object = try decoder.container(keyedBy: CodingKeys.self)
        guard let id = NotificationID(try object.decode(String.self, forKey: .id)) else {
            throw DecodingError.dataCorruptedError(
                forKey: .id, in: object, debugDescription: "It is no notification's id.")
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

/// A part of what a user was sent, the newest first.
public struct NotificationPage: Sendable {
    /// The notifications.
    public let notifications: [NotificationMetadata]
    /// What to ask for the next page with; nil: this is the last one.
    public let next: NotificationID?

    /// Takes a page as it came.
    ///
    /// - Parameters:
    ///   - notifications: what is on it.
    ///   - link: the header that tells of another page (RFC 8288); nil: the answer has no such header.
    init(_ notifications: [NotificationMetadata], link: String?) {
        self.notifications = notifications
        next = link?.contains("rel=\"next\"") == true ? notifications.last?.id : nil
    }
}
