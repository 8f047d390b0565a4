public import Foundation

extension DevicePush {
    /// The maximum size of a body, or of a string in it, in bytes; it exceeds the limit of every
    /// push service.
    private static let longest = 16_384

    /// Reads the user info of APNs, or the data from the SDKs of Firebase and Amazon.
    ///
    /// - Parameter userInfo: the dictionary; it can be a whole message that contains `message` or
    ///   `data`.
    public init(userInfo: [AnyHashable: Any]) {
        let message = userInfo["message"] as? [AnyHashable: Any] ?? userInfo
        let data = message["data"] as? [AnyHashable: Any]
        let aps = userInfo["aps"] as? [AnyHashable: Any]
        // The keys next to `aps` take precedence, because the app may have its own key called
        // `data`.
        self =
            Self.named(in: userInfo, aps) ?? data.flatMap { Self.named(in: $0, nil) }
            ?? Self.visible(in: userInfo, message, data) ?? .notOurs
    }

    /// Reads a push's body as it was sent.
    public init(body: Data, platform: DevicePlatform) {
        guard body.count <= Self.longest else {
            self = .notOurs
            return
        }
        self =
            platform == .wns
            ? Self.windows(body)
            : Self.object(body).map { DevicePush(userInfo: $0) } ?? .notOurs
    }

    /// A raw push is an id or an object; a toast is XML.
    private static func windows(_ body: Data) -> DevicePush {
        guard let text = String(data: body, encoding: .utf8) else { return .notOurs }
        let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
        if let id = NotificationID(trimmed) { return .secure(id) }
        if trimmed.hasPrefix("<") { return Toast.read(body).map(shown) ?? .notOurs }
        return object(body).flatMap { named(in: $0, nil) } ?? .notOurs
    }

    /// The system shows the toast immediately; its content is fetched when the user opens it.
    private static func shown(_ toast: Toast) -> DevicePush {
        let push = named(in: toast.arguments, nil)
        guard let purpose = push?.purpose else {
            return .alert(toast.text, extras: extras(in: toast.arguments, title: toast.title))
        }
        guard purpose != .notOurs else { return .notOurs }
        var extras = NotificationExtras.none
        if case .rich = purpose { extras.title = toast.title }
        return DevicePush(
            purpose, extras: extras, placeholder: toast.text, canReplacePlaceholder: false)
    }

    private static func object(_ body: Data) -> [AnyHashable: Any]? {
        do {
            return try JSONSerialization.jsonObject(with: body) as? [AnyHashable: Any]
        } catch {
            return nil  // The push is not from hubsend.
        }
    }

    /// Reads a dictionary that contains the id of a notification; if the id is invalid, the push is
    /// not from hubsend.
    private static func named(
        in dictionary: [AnyHashable: Any], _ aps: [AnyHashable: Any]?
    ) -> DevicePush? {
        let alert = words(of: aps)
        let placeholder = alert?.text ?? text(dictionary["placeholder"])
        // On Apple devices, only the notification service extension can replace the alert.
        let canReplace = alert == nil || aps?["mutable-content"] as? Int == 1
        if let id = dictionary["secureId"] {
            guard let id = (id as? String).flatMap({ NotificationID($0) }) else { return .notOurs }
            return DevicePush(
                .secure(id), placeholder: placeholder, canReplacePlaceholder: canReplace)
        }
        guard let id = dictionary["richId"] else { return nil }
        guard let id = (id as? String).flatMap({ NotificationID($0) }) else { return .notOurs }
        return DevicePush(
            .rich(id, type: text(dictionary["richType"]), message: text(dictionary["richMessage"])),
            extras: extras(in: dictionary, title: alert?.title), placeholder: placeholder,
            canReplacePlaceholder: canReplace)
    }

    /// The text of a visible push from APNs, from an FCM notification, or from data with a message.
    private static func visible(
        in userInfo: [AnyHashable: Any], _ message: [AnyHashable: Any],
        _ data: [AnyHashable: Any]?
    ) -> DevicePush? {
        if let alert = words(of: userInfo["aps"] as? [AnyHashable: Any]) {
            return .alert(alert.text, extras: extras(in: userInfo, title: alert.title))
        }
        let notification = message["notification"] as? [AnyHashable: Any]
        if let body = text(notification?["body"]) {
            // Firebase's SDK passes the content of `data` without the enclosing key.
            return .alert(
                body,
                extras: extras(in: data ?? userInfo, title: text(notification?["title"])))
        }
        for dictionary in [data, userInfo].compactMap(\.self) {
            if let message = text(dictionary["message"]) {
                return .alert(message, extras: extras(in: dictionary, title: nil))
            }
        }
        return nil
    }

    /// The text that an APNs push shows; nil if it shows no text.
    private static func words(of aps: [AnyHashable: Any]?) -> (title: String?, text: String)? {
        let alert = aps?["alert"]
        let parts = alert as? [AnyHashable: Any]
        return (text(alert) ?? text(parts?["body"])).map { (text(parts?["title"]), $0) }
    }

    private static func extras(
        in dictionary: [AnyHashable: Any], title: String?
    ) -> NotificationExtras {
        NotificationExtras(
            title: title ?? text(dictionary["title"]), link: text(dictionary["link"]),
            data: AppData.texts(in: dictionary, longest: longest))
    }

    private static func text(_ value: Any?) -> String? {
        guard let text = value as? String, !text.isEmpty, text.utf8.count <= longest else {
            return nil
        }
        return text
    }
}

/// The additional keys of a push, which neither a push service nor this library uses.
private enum AppData {
    private static let known: Set = [
        "aps", "secureId", "richId", "richType", "richMessage", "message", "title", "placeholder",
        "link", "notification", "data", "from", "message_type", "collapse_key",
    ]
    /// Google's SDK adds these keys.
    private static let foreign = ["google.", "gcm."]
    /// There are more keys than fit into a push.
    private static let most = 256

    static func texts(in dictionary: [AnyHashable: Any], longest: Int) -> [String: String] {
        var texts: [String: String] = [:]
        for (key, value) in dictionary {
            guard texts.count < most, let name = key as? String, let text = value as? String,
                !known.contains(name), !foreign.contains(where: { name.hasPrefix($0) }),
                name.utf8.count + text.utf8.count <= longest
            else { continue }
            texts[name] = text
        }
        return texts
    }
}
