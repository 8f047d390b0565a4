/// How a push service reaches a device; anyone with the handle can send pushes to the device, so
/// descriptions do not show it.
public enum DeviceChannel: Sendable, Hashable {
    /// Apple: the device token in hexadecimal.
    case apple(deviceToken: String)
    /// Firebase Cloud Messaging: the registration id.
    case fcmV1(registrationID: String)
    /// Legacy Google Cloud Messaging: the registration id.
    case gcm(registrationID: String)
    /// Windows: the channel URI, and for a secondary tile, its id.
    case windows(channelURI: String, secondaryTile: String? = nil)
    /// Windows Phone: the channel URI, and for a secondary tile, its id.
    case windowsPhone(channelURI: String, secondaryTile: String? = nil)
    /// Amazon: the registration id.
    case adm(registrationID: String)
    /// Baidu: the user id and channel id.
    case baidu(userID: String, channelID: String)
    /// Web push: the subscription's endpoint and keys.
    case browser(endpoint: String, p256dh: String, auth: String)
    /// Xiaomi: the registration id.
    case xiaomi(registrationID: String)
    /// A push service that this library does not know; such a registration can be read and deleted,
    /// but not written.
    case unknown(name: String)

    /// The device's handle at the push service; empty for an unknown push service.
    public var handle: String {
        if case .browser(let endpoint, _, _) = self { return endpoint }
        return parts?.handles.joined(separator: "-") ?? ""
    }

    var service: String {
        if case .unknown(let name) = self { return name }
        return parts?.format.rawValue ?? ""
    }

    /// The parts of the handle, in the order of ``NotificationFormat/Facts/handles``; nil for an
    /// unknown push service.
    var parts: (format: NotificationFormat, handles: [String], tile: String?)? {
        switch self {
        case .apple(let token): (.apple, [token], nil)
        case .fcmV1(let id): (.fcmV1, [id], nil)
        case .gcm(let id): (.gcm, [id], nil)
        case .windows(let uri, let tile): (.windows, [uri], tile)
        case .windowsPhone(let uri, let tile): (.windowsPhone, [uri], tile)
        case .adm(let id): (.adm, [id], nil)
        case .baidu(let userID, let channelID): (.baidu, [userID, channelID], nil)
        case .browser(let endpoint, let p256dh, let auth):
            (.browser, [endpoint, p256dh, auth], nil)
        case .xiaomi(let id): (.xiaomi, [id], nil)
        case .unknown: nil
        }
    }

    /// - Parameter handles: one for each of ``NotificationFormat/Facts/handles``.
    init(_ format: NotificationFormat, _ handles: [String], tile: String? = nil) {
        self =
            switch format {
            case .apple: .apple(deviceToken: handles[0])
            case .fcmV1: .fcmV1(registrationID: handles[0])
            case .gcm: .gcm(registrationID: handles[0])
            case .windows: .windows(channelURI: handles[0], secondaryTile: tile)
            case .windowsPhone: .windowsPhone(channelURI: handles[0], secondaryTile: tile)
            case .adm: .adm(registrationID: handles[0])
            case .baidu: .baidu(userID: handles[0], channelID: handles[1])
            case .browser: .browser(endpoint: handles[0], p256dh: handles[1], auth: handles[2])
            case .xiaomi: .xiaomi(registrationID: handles[0])
            }
    }
}

extension DeviceChannel: SecretHolder {
    /// The push service, with the handle hidden.
    public var description: String { "DeviceChannel(\(service), handle hidden)" }
}
