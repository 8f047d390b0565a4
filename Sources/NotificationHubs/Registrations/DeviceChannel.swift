/// Where a push service reaches a device; handles are the right to push, so no description shows
/// them.
public enum DeviceChannel: Sendable, Hashable {
    /// Apple: the device token in hexadecimal.
    case apple(deviceToken: String)
    /// Firebase Cloud Messaging: the registration id.
    case fcmV1(registrationID: String)
    /// Legacy Google Cloud Messaging: the registration id.
    case gcm(registrationID: String)
    /// Windows: the channel URI, and the secondary tile that it is for.
    case windows(channelURI: String, secondaryTile: String? = nil)
    /// Windows Phone: the channel URI, and the secondary tile that it is for.
    case windowsPhone(channelURI: String, secondaryTile: String? = nil)
    /// Amazon: the registration id.
    case adm(registrationID: String)
    /// Baidu: user and channel.
    case baidu(userID: String, channelID: String)
    /// Web push: the subscription's endpoint and keys.
    case browser(endpoint: String, p256dh: String, auth: String)
    /// Xiaomi: the registration id.
    case xiaomi(registrationID: String)
    /// A push service that this library does not know; it can be read and deleted, not written.
    case unknown(name: String)

    /// What the push service knows the device by; empty for an unknown push service.
    public var handle: String {
        switch self {
        case .apple(let token): token
        case .fcmV1(let id), .gcm(let id), .adm(let id), .xiaomi(let id): id
        case .windows(let uri, _), .windowsPhone(let uri, _): uri
        case .baidu(let userID, let channelID): "\(userID)-\(channelID)"
        case .browser(let endpoint, _, _): endpoint
        case .unknown: ""
        }
    }

    var service: String {
        switch self {
        case .apple: "apple"
        case .fcmV1: "fcmv1"
        case .gcm: "gcm"
        case .windows: "windows"
        case .windowsPhone: "windowsphone"
        case .adm: "adm"
        case .baidu: "baidu"
        case .browser: "browser"
        case .xiaomi: "xiaomi"
        case .unknown(let name): name
        }
    }
}

extension DeviceChannel: SecretHolder {
    /// The push service, with the handle hidden.
    public var description: String { "DeviceChannel(\(service), handle hidden)" }
}
