public import Foundation

/// What a push says, whichever push service brought it.
///
/// ```swift
/// // iOS: application(_:didReceiveRemoteNotification:fetchCompletionHandler:)
/// let push = DevicePush(userInfo: userInfo)
/// // Windows, or wherever the body comes as it was sent
/// let push = DevicePush(body: data, platform: .wns)
/// ```
///
/// Anybody who gets hold of a handle can send pushes: nothing in one is trusted, and a body that makes no sense is
/// ``notOurs``, never an error.
public enum DevicePush: Hashable, Sendable {
    /// Only the id of what is to be fetched.
    case secure(NotificationID)
    /// The id, and beside it the type, and the message unless that is private.
    case rich(NotificationID, type: String?, message: String?)
    /// A visible text, and nothing to be fetched.
    case alert(String)
    /// Something else.
    case notOurs

    /// The most bytes of a body, and of a text in one; no push service takes as many.
    private static let longest = 16_384

    /// Reads what an app is handed: APNs' user info, or the data that Firebase's SDK gives.
    ///
    /// - Parameter userInfo: the dictionary; of a whole FCM message too, with `message` or `data` in it.
    public init(userInfo: [AnyHashable: Any]) {
        let message = userInfo["message"] as? [AnyHashable: Any] ?? userInfo
        let data = message["data"] as? [AnyHashable: Any]
        // The names beside `aps` come first: an app's own key may well be called `data`.
        self =
            Self.named(in: userInfo) ?? data.flatMap(Self.named)
            ?? Self.visible(in: userInfo, message, data) ?? .notOurs
    }

    /// Reads a push's body as it was sent.
    ///
    /// - Parameters:
    ///   - body: the bytes.
    ///   - platform: the push service that they came by.
    public init(body: Data, platform: DevicePlatform) {
        guard body.count <= Self.longest else {
            self = .notOurs
            return
        }
        switch platform {
        case .apns, .fcm:
            self = Self.object(body).map { DevicePush(userInfo: $0) } ?? .notOurs
        case .wns:
            self = Self.windows(body)
        }
    }

    /// A raw push is the bare id or an object; a toast is XML.
    private static func windows(_ body: Data) -> DevicePush {
        guard let text = String(data: body, encoding: .utf8) else { return .notOurs }
        let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
        if let id = NotificationID(trimmed) { return .secure(id) }
        if trimmed.hasPrefix("<") { return ToastText.read(body).map(DevicePush.alert) ?? .notOurs }
        return object(body).flatMap(named) ?? .notOurs
    }

    private static func object(_ body: Data) -> [AnyHashable: Any]? {
        do {
            return try JSONSerialization.jsonObject(with: body) as? [AnyHashable: Any]
        } catch {
            return nil  // Whatever it is, it is no push of ours.
        }
    }

    /// The notification that a dictionary names; an id that is none makes it foreign.
    private static func named(in dictionary: [AnyHashable: Any]) -> DevicePush? {
        if let id = dictionary["secureId"] {
            return (id as? String).flatMap { NotificationID($0) }.map(DevicePush.secure) ?? .notOurs
        }
        guard let id = dictionary["richId"] else { return nil }
        guard let id = (id as? String).flatMap({ NotificationID($0) }) else { return .notOurs }
        return .rich(
            id, type: text(dictionary["richType"]), message: text(dictionary["richMessage"]))
    }

    /// The text of a visible push: of APNs, of an FCM notification, or FCM data with a message.
    private static func visible(
        in userInfo: [AnyHashable: Any], _ message: [AnyHashable: Any],
        _ data: [AnyHashable: Any]?
    ) -> DevicePush? {
        let alert = (userInfo["aps"] as? [AnyHashable: Any])?["alert"]
        let notification = message["notification"] as? [AnyHashable: Any]
        let candidates: [Any?] = [
            alert, (alert as? [AnyHashable: Any])?["body"], notification?["body"],
            data?["message"], userInfo["message"],
        ]
        return candidates.lazy.compactMap(text).first.map(DevicePush.alert)
    }

    private static func text(_ value: Any?) -> String? {
        guard let text = value as? String, !text.isEmpty, text.utf8.count <= longest else {
            return nil
        }
        return text
    }
}

/// The push service of a device.
public enum DevicePlatform: String, CaseIterable, Hashable, Sendable, Codable {
    /// Apple Push Notification service.
    case apns
    /// Firebase Cloud Messaging.
    case fcm
    /// Windows Push Notification Services.
    case wns
}
