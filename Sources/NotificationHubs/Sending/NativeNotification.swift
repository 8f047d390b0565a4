/// A message in the format of one push service; descriptions do not show its body.
public struct NativeNotification: Sendable {
    /// The push service.
    public let format: NotificationFormat

    /// The media type of the body.
    public let contentType: String

    /// The headers with options for the push service; their names start with `apns-` or `X-`.
    public let headers: [String: String]

    /// The bytes of the body.
    public let body: [UInt8]

    /// The maximum size of a body in bytes.
    public static let bodyLimit = 65_536

    /// Creates a message and checks it.
    ///
    /// - Parameters:
    ///   - body: 1 to 65,536 bytes; the limits of push services are lower.
    ///   - headers: a silent push requires `apns-push-type: background` and `apns-priority: 5` for
    ///     Apple, or `X-WNS-Type: wns/raw` and the content type `application/octet-stream` for
    ///     Windows.
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

extension NativeNotification: SecretHolder {
    /// The format and size, with the body hidden.
    public var description: String {
        "NativeNotification(\(format.rawValue), \(body.count) bytes, body hidden)"
    }

    /// All properties except the body.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "format": format, "contentType": contentType, "headers": headers,
                "bytes": body.count,
            ])
    }
}

extension NativeNotification {
    /// A kind of notification on Windows Phone.
    public enum WindowsPhoneKind: String, Sendable, Hashable, CaseIterable {
        /// A tile.
        case tile
        /// A toast.
        case toast
        /// Raw bytes for the app.
        case raw
    }
}

// These functions are declared on the protocol, so that `.fcmV1(…)` can be passed as an argument
// for any message.
extension HubNotification where Self == NativeNotification {
    /// A push of up to 4,096 bytes that wakes an app on Apple's platforms without showing anything.
    public static func appleBackground(_ json: String) throws(NotificationError) -> Self {
        try Self(
            format: .apple, body: Array(json.utf8),
            headers: ["apns-push-type": "background", "apns-priority": "5"])
    }

    /// A message for Firebase Cloud Messaging: an object with the key `message`, without a target.
    public static func fcmV1(_ json: String) throws(NotificationError) -> Self {
        try Self(format: .fcmV1, body: Array(json.utf8))
    }

    /// A message of 1 to 5,119 bytes for an app on Windows.
    public static func windowsRaw(_ body: [UInt8]) throws(NotificationError) -> Self {
        try Self(
            format: .windows, body: body, contentType: "application/octet-stream",
            headers: ["X-WNS-Type": "wns/raw"])
    }

    /// A message for Windows Phone, which is XML for a tile or a toast.
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

    /// A message for Amazon devices, such as `{"data":{"id":"42"}}`, whose values must be strings.
    public static func adm(_ json: String) throws(NotificationError) -> Self {
        try Self(format: .adm, body: Array(json.utf8))
    }

    /// A message for Baidu, such as `{"title":"…","description":"…"}`, with Baidu's message type
    /// number.
    public static func baidu(
        _ json: String, messageType: Int? = nil
    ) throws(NotificationError) -> Self {
        try Self(
            format: .baidu, body: Array(json.utf8),
            headers: messageType.map { ["X-Baidu-Message-Type": String($0)] } ?? [:])
    }

    /// A message for browsers; the page's service worker reads it.
    public static func browser(_ body: String) throws(NotificationError) -> Self {
        try Self(format: .browser, body: Array(body.utf8))
    }

    /// A message for Xiaomi devices.
    public static func xiaomi(_ json: String) throws(NotificationError) -> Self {
        try Self(format: .xiaomi, body: Array(json.utf8))
    }
}
