import Foundation

extension BackendClient {
    private static let path = ["api", "notifications"]

    /// Fetches a notification's content: the bytes of a rich notification, or the JSON of a secure
    /// notification.
    ///
    /// The backend records the notification as fetched.
    public func fetch(_ id: NotificationID) async throws(BackendClientError) -> NotificationContent
    {
        let response = try await notification("GET", id)
        return NotificationContent(
            data: response.body,
            mediaType: response.headers["content-type"] ?? "application/octet-stream")
    }

    /// Fetches the text of a secure notification.
    public func fetchText(_ id: NotificationID) async throws(BackendClientError) -> String {
        try await fetchSecure(id).payload
    }

    /// Fetches a secure notification with its text and extras.
    func fetchSecureNotification(_ id: NotificationID) async throws(BackendClientError)
        -> DeviceNotification
    {
        let document = try await fetchSecure(id)
        return .secure(id: id, text: document.payload, extras: document.extras)
    }

    private func fetchSecure(_ id: NotificationID) async throws(BackendClientError)
        -> SecureDocument
    {
        try Self.decoded(SecureDocument.self, from: try await fetch(id).data)
    }

    /// Fetches the description of a notification, such as a message that is too private for a push.
    public func fetchMetadata(_ id: NotificationID) async throws(BackendClientError)
        -> NotificationMetadata
    {
        let response = try await notification("GET", id, query: ["as": "json"])
        return try Self.decoded(NotificationMetadata.self, from: response.body)
    }

    /// Marks a notification as read on the backend; it is safe to repeat the call.
    public func markRead(_ id: NotificationID) async throws(BackendClientError) {
        _ = try await notification("PUT", id, ["read"])
    }

    /// Returns a page of the user's unread notifications, newest first.
    ///
    /// ```swift
    /// var page = try await client.unread()
    /// show(page.notifications)
    /// while let next = page.next {
    ///     page = try await client.unread(after: next)
    ///     show(page.notifications)
    /// }
    /// ```
    ///
    /// - Parameter last: ``NotificationPage/next`` of the previous page; nil for the first page.
    public func unread(after last: NotificationID? = nil) async throws(BackendClientError)
        -> NotificationPage
    {
        let response =
            if let last {
                try await send("GET", Self.path, ["unread": "true", "after": last.text])
            } else {
                try await send("GET", Self.path, ["unread": "true"])
            }
        let notifications = try Self.decoded([NotificationMetadata].self, from: response.body)
        return NotificationPage(notifications, link: response.headers["link"])
    }

    private func notification(
        _ method: String, _ id: NotificationID, _ more: [String] = [],
        query: KeyValuePairs<String, String> = [:]
    ) async throws(BackendClientError) -> DeviceResponse {
        do throws(BackendClientError) {
            return try await send(method, Self.path + [id.text] + more, query)
        } catch .status(404, _), .status(410, _) {
            throw .gone
        }
    }

    private static func decoded<Document: Decodable>(
        _ type: Document.Type, from data: Data
    ) throws(BackendClientError) -> Document {
        do {
            return try JSONDecoder().decode(type, from: data)
        } catch {
            throw .answerUnreadable
        }
    }
}

private struct SecureDocument: Decodable {
    private enum CodingKeys: String, CodingKey {
        case payload = "Payload"
    }

    let payload: String
    let extras: NotificationExtras

    init(from decoder: any Decoder) throws {
        payload = try decoder.container(keyedBy: CodingKeys.self)
            .decode(String.self, forKey: .payload)
        extras = try NotificationExtras(from: decoder)
    }
}
