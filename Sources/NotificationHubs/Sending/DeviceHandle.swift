/// How a push service reaches a device; anyone with the handle can send pushes to the device, so
/// descriptions do not show it.
public struct DeviceHandle: Sendable, Hashable {
    /// The handle as assigned by the push service.
    public let text: String

    /// The public key of a browser's subscription; nil for any other device.
    public let p256dh: String?

    /// The secret of a browser's subscription; nil for any other device.
    public let auth: String?

    /// The maximum length of a handle in bytes.
    public static let lengthLimit = 4_096

    /// Creates a handle from 1 to 4,096 bytes of printable ASCII without surrounding spaces.
    public init(_ text: String) throws(NotificationError) {
        try self.init(text, p256dh: nil, auth: nil)
    }

    private init(_ text: String, p256dh: String?, auth: String?) throws(NotificationError) {
        guard HeaderField.isValue(text, limit: Self.lengthLimit) else { throw .invalidHandle }
        self.text = text
        self.p256dh = p256dh
        self.auth = auth
    }

    /// Creates the handle of a browser from its subscription.
    public static func browser(
        endpoint: String, p256dh: String, auth: String
    ) throws(NotificationError) -> DeviceHandle {
        guard HeaderField.isValue(p256dh), HeaderField.isValue(auth) else { throw .invalidHandle }
        return try DeviceHandle(endpoint, p256dh: p256dh, auth: auth)
    }

    var headers: [(name: String, value: String)] {
        var headers = [(name: "ServiceBusNotification-DeviceHandle", value: text)]
        if let p256dh { headers.append((name: "P256DH", value: p256dh)) }
        if let auth { headers.append((name: "Auth", value: auth)) }
        return headers
    }
}

extension DeviceHandle: SecretHolder {
    /// A description that hides the handle.
    public var description: String { "DeviceHandle(hidden)" }
}
