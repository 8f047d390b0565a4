/// A message in one push service's own format, with the options that the hub passes on to it.
///
/// ```swift
/// let silent = try NativeNotification(
///     format: .apple,
///     body: Array(#"{"aps":{"content-available":1},"id":"42"}"#.utf8),
///     headers: ["apns-push-type": "background", "apns-priority": "5"])
/// ```
///
/// Neither its descriptions nor a dump of it show the body.
public struct NativeNotification: Sendable {
    /// The push service.
    public let format: NotificationFormat

    /// The media type of the body.
    public let contentType: String

    /// The push service's options: names that start with `apns-` or `X-`, and their values.
    public let headers: [String: String]

    /// The body's bytes.
    public let body: [UInt8]

    /// The most bytes a hub takes in one request (reference: section 3.12).
    public static let bodyLimit = 65_536

    /// Checks and keeps a message.
    ///
    /// - Parameters:
    ///   - format: the push service.
    ///   - body: 1 to 65,536 bytes in the push service's format. Each service has a lower limit of
    ///     its own.
    ///   - contentType: the media type; nil for the format's own.
    ///   - headers: the push service's options. A silent push needs `apns-push-type: background`
    ///     and `apns-priority: 5` for Apple, `X-WNS-Type: wns/raw` and the content type
    ///     `application/octet-stream` for Windows.
    /// - Throws: ``NotificationError`` for an empty or too large body, or a header that is not a
    ///   push service's option.
    public init(
        format: NotificationFormat, body: [UInt8], contentType: String? = nil,
        headers: [String: String] = [:]
    ) throws(NotificationError) {
        guard !body.isEmpty else { throw .emptyBody }
        guard body.count <= Self.bodyLimit else { throw .bodyTooLarge }
        let contentType = contentType ?? format.defaultContentType
        guard HeaderField.isValue(contentType) else { throw .invalidHeaderValue("Content-Type") }
        try HeaderField.checkOptions(headers)
        self.format = format
        self.body = body
        self.contentType = contentType
        self.headers = headers
    }
}

extension NativeNotification: CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    /// Format and size, with the body hidden.
    public var description: String {
        "NativeNotification(\(format.rawValue), \(body.count) bytes, body hidden)"
    }

    /// What arrays and debuggers print; it hides what ``description`` hides.
    public var debugDescription: String { description }

    /// Everything but the body's bytes.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "format": format, "contentType": contentType, "headers": headers,
                "bytes": body.count,
            ])
    }
}

/// The push service that a native notification is written for (reference: section 3.4).
public enum NotificationFormat: String, Sendable, Hashable, CaseIterable {
    /// Apple Push Notification service.
    case apple
    /// Firebase Cloud Messaging, HTTP v1.
    case fcmV1 = "fcmv1"
    /// Windows Push Notification Services.
    case windows
    /// Legacy Google Cloud Messaging; Google has switched it off.
    case gcm
    /// Amazon Device Messaging.
    case adm
    /// Baidu cloud push.
    case baidu
    /// Web push.
    case browser
    /// Xiaomi push.
    case xiaomi
    /// Microsoft Push Notification Service for Windows Phone.
    case windowsPhone = "windowsphone"

    /// The media type of a body when nothing else is said: XML for the two Windows services, JSON
    /// otherwise.
    public var defaultContentType: String {
        switch self {
        case .windows, .windowsPhone: "application/xml"
        case .apple, .fcmV1, .gcm, .adm, .baidu, .browser, .xiaomi: "application/json"
        }
    }
}

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
