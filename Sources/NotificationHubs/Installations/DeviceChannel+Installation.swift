import Foundation

extension DeviceChannel {
    /// The platform's name in installations; nil for an unknown push service.
    var platformName: String? {
        switch self {
        case .apple: "apns"
        case .fcmV1: "fcmV1"
        case .gcm: "gcm"
        case .windows: "wns"
        case .windowsPhone: "mpns"
        case .adm: "adm"
        case .baidu: "baidu"
        case .browser: "browser"
        case .xiaomi: "xiaomi"
        case .unknown: nil
        }
    }

    /// Reads the two members of an installation.
    ///
    /// - Parameters:
    ///   - platform: the platform's name in any case.
    ///   - channel: the handle; a browser's may be an object or its text.
    init(platform: String, _ channel: InstallationDocument.PushChannel) {
        let text: String
        switch channel {
        case .subscription(let subscription):
            self = .browser(
                endpoint: subscription.endpoint, p256dh: subscription.p256dh,
                auth: subscription.auth)
            return
        case .text(let handle): text = handle
        }
        switch platform.lowercased() {
        case "apns": self = .apple(deviceToken: text)
        case "fcmv1": self = .fcmV1(registrationID: text)
        case "gcm": self = .gcm(registrationID: text)
        case "wns": self = .windows(channelURI: text)
        case "mpns": self = .windowsPhone(channelURI: text)
        case "adm": self = .adm(registrationID: text)
        case "xiaomi": self = .xiaomi(registrationID: text)
        case "baidu":
            let parts = text.split(separator: "-", maxSplits: 1).map(String.init)
            self = .baidu(userID: parts.first ?? "", channelID: parts.count > 1 ? parts[1] : "")
        case "browser":
            let subscription = try? JSONDecoder().decode(
                InstallationDocument.Subscription.self, from: Data(text.utf8))
            self =
                subscription.map {
                    .browser(endpoint: $0.endpoint, p256dh: $0.p256dh, auth: $0.auth)
                } ?? .unknown(name: "browser")
        default: self = .unknown(name: ForeignText.cleaned(platform) ?? "")
        }
    }
}
