/// The names that a push service has in registrations (reference: section 6.4).
struct RegistrationKind: Sendable, Hashable {
    private static let suffix = "RegistrationDescription"

    /// The beginning of its description elements.
    let name: String

    /// The elements that hold a handle, in their order.
    let handles: [String]

    /// The list of a template's headers, and the name of an item; nil where there is none.
    var headers: (list: String, item: String)? {
        switch name {
        case "Apple": ("ApnsHeaders", "ApnsHeader")
        case "Windows": ("WnsHeaders", "WnsHeader")
        case "Mpns": ("MpnsHeaders", "MpnsHeader")
        default: nil
        }
    }

    /// The name of the description element.
    ///
    /// - Parameter isTemplate: whether there is a template.
    /// - Returns: the name.
    func element(isTemplate: Bool) -> String {
        name + (isTemplate ? "Template" : "") + Self.suffix
    }

    /// All of them.
    static let all = [
        RegistrationKind(name: "Apple", handles: ["DeviceToken"]),
        RegistrationKind(name: "FcmV1", handles: ["FcmV1RegistrationId"]),
        RegistrationKind(name: "Gcm", handles: ["GcmRegistrationId"]),
        RegistrationKind(name: "Windows", handles: ["ChannelUri"]),
        RegistrationKind(name: "Mpns", handles: ["ChannelUri"]),
        RegistrationKind(name: "Adm", handles: ["AdmRegistrationId"]),
        RegistrationKind(name: "Baidu", handles: ["BaiduUserId", "BaiduChannelId"]),
        RegistrationKind(name: "Browser", handles: ["Endpoint", "P256DH", "Auth"]),
        RegistrationKind(name: "Xiaomi", handles: ["XiaomiRegistrationId"]),
    ]

    /// The kind of a description element; nil when it is none that is known.
    static func named(_ element: String) -> (kind: RegistrationKind, isTemplate: Bool)? {
        for kind in all {
            for isTemplate in [false, true]
            where kind.element(isTemplate: isTemplate) == element {
                return (kind, isTemplate)
            }
        }
        return nil
    }

    /// The kind and the handles of a channel; nil for an unknown push service.
    static func of(_ channel: DeviceChannel) -> (kind: RegistrationKind, handles: [String])? {
        let place: Int
        let handles: [String]
        switch channel {
        case .apple(let token): (place, handles) = (0, [token])
        case .fcmV1(let id): (place, handles) = (1, [id])
        case .gcm(let id): (place, handles) = (2, [id])
        case .windows(let uri, _): (place, handles) = (3, [uri])
        case .windowsPhone(let uri, _): (place, handles) = (4, [uri])
        case .adm(let id): (place, handles) = (5, [id])
        case .baidu(let userID, let channelID): (place, handles) = (6, [userID, channelID])
        case .browser(let endpoint, let p256dh, let auth):
            (place, handles) = (7, [endpoint, p256dh, auth])
        case .xiaomi(let id): (place, handles) = (8, [id])
        case .unknown: return nil
        }
        return (all[place], handles)
    }

    /// The channel of handles that stand in this kind's elements.
    ///
    /// - Parameters:
    ///   - handles: as many as ``handles`` has.
    ///   - tile: the secondary tile.
    /// - Returns: the channel.
    func channel(_ handles: [String], tile: String?) -> DeviceChannel {
        switch name {
        case "Apple": .apple(deviceToken: handles[0])
        case "FcmV1": .fcmV1(registrationID: handles[0])
        case "Gcm": .gcm(registrationID: handles[0])
        case "Windows": .windows(channelURI: handles[0], secondaryTile: tile)
        case "Mpns": .windowsPhone(channelURI: handles[0], secondaryTile: tile)
        case "Adm": .adm(registrationID: handles[0])
        case "Baidu": .baidu(userID: handles[0], channelID: handles[1])
        case "Browser": .browser(endpoint: handles[0], p256dh: handles[1], auth: handles[2])
        default: .xiaomi(registrationID: handles[0])
        }
    }
}
