import CampaignCore
import FoundationEssentials
import HTTPServing
import HTTPTypes
import HummingbirdCore
import NIOCore

extension BackendExchange {
    /// `GET /api/notifications/{id}`: the payload, or its description with `?as=json`.
    ///
    /// The first complete response is recorded as `fetched`. A 304 is not recorded: a client also
    /// gets one for `*` or a tag from `HEAD`, and the fetch of a client that has the bytes is
    /// already recorded.
    func fetch(_ id: String) async throws -> BackendReply {
        let isDescription = try asksForDescription()
        // With If-None-Match, the payload is read right away; otherwise, a client with an outdated
        // copy would cause two reads.
        if isDescription || method == .head,
            let reply = try await replyWithoutContent(to: id, isDescription: isDescription)
        {
            return reply
        }
        let received = try await received(id)
        let notification = received.notification
        guard notification.expires > environment.now(), let bytes = notification.bytes else {
            throw BackendFailure.notificationExpired
        }
        if isDescription {
            let json = received.descriptionJSON(byteCount: bytes.count)
            return BackendReply(Response(json: json))
        }
        var reply: BackendReply
        switch notification.kind {
        case .secure:
            reply = BackendReply(Response(json: Self.secureJSON(received, bytes)))
        case .rich, .alert:
            reply = ServedContent(notification, byteCount: bytes.count).reply(
                bytes, ifNoneMatch: fields[.ifNoneMatch])
        }
        if method == .get, reply.response.status == .ok, received.fetched == nil {
            reply.receipt = received.place
        }
        return reply
    }

    /// `PUT /api/notifications/{id}/read`: idempotent; the receipt is durable before the response
    /// is sent.
    ///
    /// An expired notification can also be marked, because it may have been read before it expired.
    func markRead(_ id: String) async throws -> BackendReply {
        let received = try await received(id, hasContent: false)
        if received.read == nil { try await environment.receipts.read(received.place) }
        return BackendReply(Response(empty: .noContent))
    }

    /// `GET /api/notifications`: the notifications that the caller can still fetch, newest first,
    /// in pages.
    func list() async throws -> BackendReply {
        let page = try ListPage(query)
        var found = try await environment.store.notifications(
            for: caller.username, isUnread: page.isUnread, after: page.last,
            limit: page.limit + 1, at: environment.now())
        let hasMore = found.count > page.limit
        if hasMore { found.removeLast(found.count - page.limit) }
        var json: [UInt8] = [UInt8(ascii: "[")]
        for received in found {
            if json.count > 1 { json.append(UInt8(ascii: ",")) }
            json += received.descriptionJSON()
        }
        json.append(UInt8(ascii: "]"))
        var response = Response(json: json)
        if hasMore, let last = found.last, let link = HTTPField.Name("Link") {
            response.headers[link] = page.link(after: last.notification.id)
        }
        return BackendReply(response)
    }

    /// Decides whether the caller may fetch a notification.
    ///
    /// The store finds a notification only for its recipients, and alerts cannot be fetched. Even a
    /// malformed id is looked up, so that the response time reveals nothing.
    private func received(
        _ text: String, hasContent: Bool = true
    ) async throws -> ReceivedNotification {
        let id = NotificationID(text)
        let found = try await environment.store.notification(
            id ?? .placeholder, for: caller.username, hasContent: hasContent)
        guard id != nil, let found, found.notification.kind != .alert else {
            throw BackendFailure.noSuchNotification
        }
        return found
    }

    private func asksForDescription() throws -> Bool {
        switch query["as"]?.lowercased() {
        case nil: return false
        case "json": return true
        default: throw BackendFailure.malformed(reason: "The parameter \"as\" must be json.")
        }
    }

    /// A secure payload in the format that the tutorials' apps read; secure payloads are always
    /// UTF-8.
    private static func secureJSON(_ received: ReceivedNotification, _ bytes: [UInt8]) -> [UInt8] {
        var json = JSONWriter()
        json.add("Id", received.notification.id.text)
        json.add("Payload", String(decoding: bytes, as: UTF8.self))
        json.add("Read", received.read != nil)
        json.addExtras(of: received.notification)
        return json.text
    }

    /// Answers HEAD or returns a description without reading the payload; returns nil if the
    /// payload is encrypted.
    private func replyWithoutContent(
        to id: String, isDescription: Bool
    ) async throws -> BackendReply? {
        let received = try await received(id, hasContent: false)
        let notification = received.notification
        guard notification.expires > environment.now() else {
            throw BackendFailure.notificationExpired
        }
        // If the length is unknown, the payload is encrypted or was removed; reading it shows
        // which.
        guard let byteCount = received.byteCount else { return nil }
        if isDescription {
            let json = received.descriptionJSON(byteCount: byteCount)
            return BackendReply(Response(json: json))
        }
        let content = ServedContent(notification, byteCount: byteCount)
        return content.unchanged(ifNoneMatch: fields[.ifNoneMatch]) ?? content.head()
    }
}

extension ReceivedNotification {
    /// The description as a JSON object without the payload; it has `Bytes` only if `length` is
    /// given.
    fileprivate func descriptionJSON(byteCount: Int? = nil) -> [UInt8] {
        var json = JSONWriter()
        json.add("Id", notification.id.text)
        json.add("Kind", notification.kind.rawValue)
        json.add("RichType", notification.type)
        json.add("Message", notification.texts.message)
        json.add("MediaType", notification.mediaType)
        if let byteCount { json.add("Bytes", byteCount) }
        json.add("Created", UTCTime.preciseText(notification.created))
        json.add("Expires", UTCTime.preciseText(notification.expires))
        json.add("Read", read != nil)
        json.addExtras(of: notification)
        return json.text
    }
}

extension JSONWriter {
    fileprivate mutating func addExtras(of notification: StoredNotification) {
        for key in TextKey.heads {
            if let text = notification.texts[key] { add(key, text) }
        }
        if let link = notification.link { add("link", link) }
        add("data", texts: notification.data)
    }
}
