/// The name of a registration's description element: a platform, native or template.
struct RegistrationKind: Equatable {
    let platform: LocalHubPlatform
    let isTemplate: Bool

    private static let suffix = "RegistrationDescription"

    private static let names: [(LocalHubPlatform, String)] = [
        (.apns, "Apple"), (.fcm, "FcmV1"), (.gcm, "Gcm"), (.wns, "Windows"), (.mpns, "Mpns"),
        (.adm, "Adm"), (.baidu, "Baidu"), (.browser, "Browser"), (.xiaomi, "Xiaomi"),
    ]

    init(platform: LocalHubPlatform, isTemplate: Bool) {
        self.platform = platform
        self.isTemplate = isTemplate
    }

    /// Reads an element's name, such as `AppleTemplateRegistrationDescription`.
    init?(elementName: String) {
        for (platform, name) in Self.names {
            for isTemplate in [false, true]
            where elementName == name + (isTemplate ? "Template" : "") + Self.suffix {
                self.init(platform: platform, isTemplate: isTemplate)
                return
            }
        }
        return nil
    }

    var elementName: String {
        let name = Self.names.first { $0.0 == platform }?.1 ?? ""
        return name + (isTemplate ? "Template" : "") + Self.suffix
    }

    var handleElements: [String] {
        switch platform {
        case .apns: ["DeviceToken"]
        case .fcm: ["FcmV1RegistrationId"]
        case .gcm: ["GcmRegistrationId"]
        case .wns, .mpns: ["ChannelUri"]
        case .adm: ["AdmRegistrationId"]
        case .baidu: ["BaiduUserId", "BaiduChannelId"]
        case .browser: ["Endpoint", "P256DH", "Auth"]
        case .xiaomi: ["XiaomiRegistrationId"]
        }
    }

    /// The element that lists the headers of a template, and the name of its items.
    var headerElements: (list: String, item: String)? {
        switch platform {
        case .apns: ("ApnsHeaders", "ApnsHeader")
        case .wns: ("WnsHeaders", "WnsHeader")
        case .mpns: ("MpnsHeaders", "MpnsHeader")
        default: nil
        }
    }
}
