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

    /// The names that the service uses for a platform, and the limits of its push service.
    struct Facts: Sendable {
        /// The value of `ServiceBusNotification-Format`, in lower case, as in the SDKs.
        let format: String
        /// The name in installations, if it differs from the platform's.
        var installation: String?
        /// The prefix of the element names in a registration.
        let element: String
        /// The elements that contain the parts of a handle, in order, separated by spaces.
        let handles: String
        /// The element that lists the headers of a template, and the name of its items.
        var headers: (list: String, item: String)?
        /// The maximum payload size in bytes; nil if no limit is known.
        var largestPayload: Int?
        var takesJSONObject = false
        var mediaType = "application/json"
    }

    private static let table = Dictionary(
        uniqueKeysWithValues: allCases.map { ($0, $0.written) })
    private static let byFormat = Dictionary(
        uniqueKeysWithValues: allCases.map { ($0.written.format, $0) })

    var facts: Facts { Self.table[self] ?? written }

    private var written: Facts {
        switch self {
        case .apns:
            Facts(
                format: "apple", element: "Apple", handles: "DeviceToken",
                headers: ("ApnsHeaders", "ApnsHeader"), largestPayload: 4_096,
                takesJSONObject: true)
        case .fcm:
            Facts(
                format: "fcmv1", installation: "fcmV1", element: "FcmV1",
                handles: "FcmV1RegistrationId", largestPayload: 4_096, takesJSONObject: true)
        case .gcm:
            Facts(
                format: "gcm", element: "Gcm", handles: "GcmRegistrationId",
                largestPayload: 4_096, takesJSONObject: true)
        case .wns:
            Facts(
                format: "windows", element: "Windows", handles: "ChannelUri",
                headers: ("WnsHeaders", "WnsHeader"), largestPayload: 5_000,
                mediaType: "application/xml")
        case .mpns:
            Facts(
                format: "windowsphone", element: "Mpns", handles: "ChannelUri",
                headers: ("MpnsHeaders", "MpnsHeader"), mediaType: "application/xml")
        case .adm:
            Facts(
                format: "adm", element: "Adm", handles: "AdmRegistrationId",
                largestPayload: 6_144, takesJSONObject: true)
        case .baidu:
            Facts(
                format: "baidu", element: "Baidu", handles: "BaiduUserId BaiduChannelId")
        case .browser:
            Facts(
                format: "browser", element: "Browser", handles: "Endpoint P256DH Auth",
                largestPayload: 3_993)
        case .xiaomi:
            Facts(format: "xiaomi", element: "Xiaomi", handles: "XiaomiRegistrationId")
        }
    }

    /// The platform with this name in a devices file or an installation, case-insensitively.
    package init?(name: String) {
        let name = name.lowercased()
        let platform = Self.allCases.first {
            $0.rawValue == name || $0.installation.lowercased() == name
        }
        guard let platform else { return nil }
        self = platform
    }

    /// The platform that a native send with this `ServiceBusNotification-Format` reaches,
    /// case-insensitively.
    init?(format: String) {
        guard let platform = Self.byFormat[format.lowercased()] else { return nil }
        self = platform
    }

    /// The value of `ServiceBusNotification-Format`.
    var format: String { facts.format }

    /// The elements of a registration that contain the parts of a handle, in order.
    var handleElements: [String] { facts.handles.split(separator: " ").map(String.init) }

    /// The name in installations.
    var installation: String { facts.installation ?? rawValue }

    /// The largest payload that the push service accepts, in bytes; nil if no limit is known.
    func largestPayload(headers: [String: String]) -> Int? {
        guard self == .mpns else { return facts.largestPayload }
        // WNS uses class 3 for raw pushes, and classes 13 and 23 for raw pushes with delayed
        // delivery.
        return headers["x-notificationclass"]?.hasSuffix("3") == true ? 1_024 : nil
    }
}
