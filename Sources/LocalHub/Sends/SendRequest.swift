/// A native send that is well formed: what to push, and to whom.
struct SendRequest {
    /// The push service.
    let platform: LocalHubPlatform
    /// Which devices; nil: all of the platform.
    let expression: TagExpression?
    /// The expression as sent.
    let tags: String?
    /// The headers that matter to push services, names in lower case.
    let headers: [String: String]
    /// The payload.
    let payload: [UInt8]

    /// Reads a send.
    ///
    /// - Parameter request: the request.
    /// - Throws: a 400 when format, tags, type or payload are wrong (reference, sections 3 and 4).
    init(_ request: HubRequest) throws(HubFailure) {
        platform = try Self.platform(format: request.headers["servicebusnotification-format"])
        tags = request.headers["servicebusnotification-tags"]
        expression = try tags.map { text throws(HubFailure) in try Self.expression(text) }
        payload = request.body
        guard !payload.isEmpty else { throw .badRequest("The notification has no payload.") }
        if platform.takesJSONObject, !JSONObjectCheck.passes(payload) {
            throw .badRequest("The notification payload is not a JSON object.")
        }
        var headers = request.headers.filter { Self.mattersToPushServices($0.key) }
        if platform == .wns {
            headers["x-wns-type"] = try Self.type(headers["x-wns-type"], payload: payload).rawValue
        }
        self.headers = headers
    }

    private static func platform(format: String?) throws(HubFailure) -> LocalHubPlatform {
        // Without a format a send is a template send (reference, section 3.3).
        guard let format, format.lowercased() != "template" else {
            throw .badRequest("Template sends are not supported by this local hub yet.")
        }
        guard let platform = LocalHubPlatform(format: format) else {
            throw .badRequest(
                "ServiceBusNotification-Format \(ClientText.quoted(format)) is unknown.")
        }
        return platform
    }

    private static func expression(_ text: String) throws(HubFailure) -> TagExpression {
        do {
            return try TagExpressionParser.parse(text)
        } catch {
            throw .badRequest(error.description)
        }
    }

    private static func type(
        _ header: String?, payload: [UInt8]
    ) throws(HubFailure) -> WNSNotificationType {
        guard let header else {
            guard let guessed = WNSNotificationType(rootElementOf: payload) else {
                throw .badRequest(
                    "X-WNS-Type is missing, and the payload is no toast, tile or badge.")
            }
            return guessed
        }
        guard let type = WNSNotificationType(rawValue: header.lowercased()) else {
            throw .badRequest("X-WNS-Type \(ClientText.quoted(header)) is unknown.")
        }
        return type
    }

    private static func mattersToPushServices(_ name: String) -> Bool {
        switch name {
        case "content-type", "servicebusnotification-format", "servicebusnotification-apns-expiry",
            "x-windowsphone-target", "x-notificationclass", "x-baidu-message-type":
            true
        default:
            name.hasPrefix("apns-") || name.hasPrefix("x-apns-") || name.hasPrefix("x-wns-")
        }
    }
}
