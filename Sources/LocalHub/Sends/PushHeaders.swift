import struct Foundation.Date

/// The headers of a send that go on to push services (reference, sections 3.5 to 3.7).
enum PushHeaders {
    /// Picks the headers that matter, and gives APNs' options their plain names.
    ///
    /// Apple's options have two spellings, and the plain one wins; what cannot be read is as good as absent
    /// and never fails a send.
    ///
    /// - Parameters:
    ///   - fields: the headers of a request, names in lower case.
    ///   - platform: the push service; nil for a template send.
    /// - Returns: the headers, names in lower case.
    static func relevant(
        of fields: [String: String], for platform: LocalHubPlatform?
    ) -> [String: String] {
        var headers = fields.filter { matters($0.key, to: platform) }
        guard platform == .apns || platform == nil else { return headers }
        for option in ["apns-push-type", "apns-priority"] where headers[option] == nil {
            headers[option] = headers["x-" + option]
        }
        if headers["apns-expiration"] == nil {
            headers["apns-expiration"] = expiration(headers)
        }
        return headers
    }

    /// When APNs gives up, in seconds since 1970-01-01 UTC, from the spellings that it does not know itself.
    private static func expiration(_ headers: [String: String]) -> String? {
        if let seconds = headers["x-apns-expiration"].flatMap({ Int($0) }) {
            return String(seconds)
        }
        let names = ["x-apns-expiration", "servicebusnotification-apns-expiry", "x-apns-expiry"]
        return names.lazy.compactMap { headers[$0].flatMap(LenientDate.parse) }.first.map {
            String(Int($0.timeIntervalSince1970))
        }
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
