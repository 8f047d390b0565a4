import struct Foundation.Date

enum PushHeaders {
    /// The headers for a push service, or for all push services if `platform` is nil (a template
    /// send); names are in lower case.
    ///
    /// If an APNs option is given in more than one spelling, the plain name wins; an unreadable
    /// expiration is ignored.
    static func relevant(
        of fields: [String: String], for platform: LocalHubPlatform?
    ) -> [String: String] {
        var headers = fields.filter { matters($0.key, to: platform) }
        guard platform == .apns || platform == nil else { return headers }
        for option in ["apns-push-type", "apns-priority"] where headers[option] == nil {
            headers[option] = headers["x-" + option]
        }
        if headers["apns-expiration"] == nil {
            let spellings = [
                "x-apns-expiration", "x-apns-expiry", "servicebusnotification-apns-expiry",
            ]
            headers["apns-expiration"] =
                spellings.lazy.compactMap { headers[$0].flatMap(expiration) }.first
        }
        return headers
    }

    /// The headers of a template send without those for other push services.
    static func applicable(
        _ headers: [String: String], to platform: LocalHubPlatform
    ) -> [String: String] {
        headers.filter { header in
            switch header.key {
            case "x-windowsphone-target", "x-notificationclass": platform == .mpns
            case "x-baidu-message-type": platform == .baidu
            case let name where name.contains("apns-"): platform == .apns
            case let name where name.hasPrefix("x-wns-"): platform == .wns
            default: true
            }
        }
    }

    /// Reads an APNs expiration, given as a number of seconds or a date in any form that clients
    /// send; returns seconds since 1970-01-01 UTC.
    static func expiration(_ text: String) -> String? {
        if let seconds = Int(text) { return String(seconds) }
        return LenientDate.parse(text).map { String(Int($0.timeIntervalSince1970)) }
    }

    private static func matters(_ name: String, to platform: LocalHubPlatform?) -> Bool {
        switch name {
        case "content-type", "servicebusnotification-format", "servicebusnotification-apns-expiry",
            "x-windowsphone-target", "x-notificationclass", "x-baidu-message-type":
            true
        default:
            name.hasPrefix("apns-") || name.hasPrefix("x-apns-") || name.hasPrefix("x-wns-")
                || platform == .mpns && name.hasPrefix("x-") && !name.hasPrefix("x-ms-")
        }
    }
}
