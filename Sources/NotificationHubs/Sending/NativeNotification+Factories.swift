extension NativeNotification {
    /// What a Windows Phone shows (reference: section 3.7).
    public enum WindowsPhoneKind: String, Sendable, Hashable, CaseIterable {
        /// A tile.
        case tile
        /// A toast.
        case toast
        /// Bytes for the app.
        case raw
    }
}

// On the protocol, so that a call that takes any message can be given `.fcmV1(…)` as it stands.
extension HubNotification where Self == NativeNotification {
    /// A push that wakes an app of Apple's platforms without showing anything.
    ///
    /// ```swift
    /// let silent = try NativeNotification.appleBackground(
    ///     #"{"aps":{"content-available":1},"id":"42"}"#)
    /// ```
    ///
    /// - Parameter json: the payload, up to 4,096 bytes for Apple.
    /// - Returns: the message with the headers that Apple asks for.
    /// - Throws: ``NotificationError`` for an empty or too large payload.
    public static func appleBackground(_ json: String) throws(NotificationError) -> Self {
        try Self(
            format: .apple, body: Array(json.utf8),
            headers: ["apns-push-type": "background", "apns-priority": "5"])
    }

    /// A message for Firebase Cloud Messaging.
    ///
    /// ```swift
    /// let data = try NativeNotification.fcmV1(#"{"message":{"data":{"id":"42"}}}"#)
    /// ```
    ///
    /// - Parameter json: the payload, with `message` outermost and without a target.
    /// - Returns: the message.
    /// - Throws: ``NotificationError`` for an empty or too large payload.
    public static func fcmV1(_ json: String) throws(NotificationError) -> Self {
        try Self(format: .fcmV1, body: Array(json.utf8))
    }

    /// A message of bytes for an app on Windows.
    ///
    /// - Parameter body: 1 to 5,119 bytes for Windows.
    /// - Returns: the message.
    /// - Throws: ``NotificationError`` for an empty or too large payload.
    public static func windowsRaw(_ body: [UInt8]) throws(NotificationError) -> Self {
        try Self(
            format: .windows, body: body, contentType: "application/octet-stream",
            headers: ["X-WNS-Type": "wns/raw"])
    }

    /// A message for Windows Phone.
    ///
    /// - Parameters:
    ///   - body: the payload: XML for a tile or a toast.
    ///   - kind: what it is.
    /// - Returns: the message with the headers that its kind needs.
    /// - Throws: ``NotificationError`` for an empty or too large payload.
    public static func windowsPhone(
        _ body: String, kind: NativeNotification.WindowsPhoneKind
    ) throws(NotificationError) -> Self {
        let headers =
            switch kind {
            case .tile: ["X-WindowsPhone-Target": "token", "X-NotificationClass": "1"]
            case .toast: ["X-WindowsPhone-Target": "toast", "X-NotificationClass": "2"]
            case .raw: ["X-NotificationClass": "3"]
            }
        return try Self(format: .windowsPhone, body: Array(body.utf8), headers: headers)
    }

    /// A message for Amazon's devices.
    ///
    /// - Parameter json: the payload, such as `{"data":{"id":"42"}}`, its values text.
    /// - Returns: the message.
    /// - Throws: ``NotificationError`` for an empty or too large payload.
    public static func adm(_ json: String) throws(NotificationError) -> Self {
        try Self(format: .adm, body: Array(json.utf8))
    }

    /// A message for Baidu's push service.
    ///
    /// - Parameters:
    ///   - json: the payload, such as `{"title":"…","description":"…"}`.
    ///   - messageType: Baidu's number for the kind of message; nil leaves it to the service.
    /// - Returns: the message.
    /// - Throws: ``NotificationError`` for an empty or too large payload.
    public static func baidu(
        _ json: String, messageType: Int? = nil
    ) throws(NotificationError) -> Self {
        try Self(
            format: .baidu, body: Array(json.utf8),
            headers: messageType.map { ["X-Baidu-Message-Type": String($0)] } ?? [:])
    }

    /// A message for browsers.
    ///
    /// - Parameter body: what the page's service worker reads, such as JSON.
    /// - Returns: the message.
    /// - Throws: ``NotificationError`` for an empty or too large payload.
    public static func browser(_ body: String) throws(NotificationError) -> Self {
        try Self(format: .browser, body: Array(body.utf8))
    }

    /// A message for Xiaomi's devices.
    ///
    /// - Parameter json: the payload.
    /// - Returns: the message.
    /// - Throws: ``NotificationError`` for an empty or too large payload.
    public static func xiaomi(_ json: String) throws(NotificationError) -> Self {
        try Self(format: .xiaomi, body: Array(json.utf8))
    }
}
