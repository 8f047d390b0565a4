extension PushChannel {
    /// Reads the `pushChannel` of an installation.
    ///
    /// That of a browser is an object, or the same as text; that of Baidu is `userId-channelId`
    /// (reference, section 7).
    ///
    /// - Parameters:
    ///   - value: the member.
    ///   - platform: the push service.
    /// - Throws: a 400 when the push service has no such channel.
    init(_ value: JSONValue, on platform: LocalHubPlatform) throws(HubFailure) {
        switch platform {
        case .browser:
            let members = value.members ?? value.text.flatMap { JSONValue.read($0.utf8)?.members }
            guard let endpoint = members?["endpoint"]?.text, !endpoint.isEmpty,
                let p256dh = members?["p256dh"]?.text, let auth = members?["auth"]?.text
            else {
                throw .badRequest("The pushChannel of a browser needs endpoint, p256dh and auth.")
            }
            self = .browser(endpoint: endpoint, p256dh: p256dh, auth: auth)
        case .baidu:
            guard let text = value.text, let dash = text.firstIndex(of: "-") else {
                throw .badRequest("The pushChannel of Baidu is not userId-channelId.")
            }
            self = .baidu(
                userID: String(text[..<dash]), channelID: String(text[text.index(after: dash)...]))
        case .apns, .fcm, .gcm, .wns, .mpns, .adm, .xiaomi:
            guard let text = value.text, !text.isEmpty else {
                throw .badRequest("The pushChannel is not a string, or empty.")
            }
            // Recorded of registrations, which installations show up as.
            self = .handle(platform == .apns ? text.uppercased() : text)
        }
    }
}
