package enum LocalHubPlatform: String, Sendable, CaseIterable, Codable {
    case apns
    case fcm
    case gcm
    case wns
    case mpns
    case adm
    case baidu
    case browser
    case xiaomi

    /// The platform of a name in a devices file or an installation, in any case.
    package init?(name: String) {
        let name = name.lowercased()
        if name == "fcmv1" {
            self = .fcm
        } else {
            self.init(rawValue: name)
        }
    }

    /// The platform that a native send of this `ServiceBusNotification-Format` reaches, in any
    /// case.
    init?(format: String) {
        switch format.lowercased() {
        case "apple": self = .apns
        case "fcmv1": self = .fcm
        case "gcm": self = .gcm
        case "windows": self = .wns
        case "windowsphone": self = .mpns
        case "adm": self = .adm
        case "baidu": self = .baidu
        case "browser": self = .browser
        case "xiaomi": self = .xiaomi
        default: return nil
        }
    }

    /// The value of `ServiceBusNotification-Format`, in the lower case of the SDKs.
    var format: String {
        switch self {
        case .apns: "apple"
        case .fcm: "fcmv1"
        case .gcm: "gcm"
        case .wns: "windows"
        case .mpns: "windowsphone"
        case .adm: "adm"
        case .baidu: "baidu"
        case .browser: "browser"
        case .xiaomi: "xiaomi"
        }
    }

    /// The largest payload that the push service takes, in bytes; nil where none is known.
    func largestPayload(headers: [String: String]) -> Int? {
        switch self {
        case .apns, .fcm, .gcm: 4_096
        case .browser: 3_993
        case .wns: 5_000
        case .adm: 6_144
        // Raw pushes alone, whose class is 3, or 13 or 23 for a later time.
        case .mpns: headers["x-notificationclass"]?.hasSuffix("3") == true ? 1_024 : nil
        case .baidu, .xiaomi: nil
        }
    }

    var takesJSONObject: Bool {
        switch self {
        case .apns, .fcm, .gcm, .adm: true
        case .wns, .mpns, .baidu, .browser, .xiaomi: false
        }
    }
}
