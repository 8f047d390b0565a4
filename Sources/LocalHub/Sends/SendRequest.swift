/// A send that is well formed: what to push, and to whom.
struct SendRequest: Sendable, Hashable, Codable {
    /// What to push.
    let content: SendContent
    /// Whom to push it to.
    let audience: SendAudience
    /// The tag expression as sent.
    let tags: String?
    /// The headers that matter to push services, names in lower case.
    let headers: [String: String]
    /// The body: a payload, or the properties of templates.
    let payload: [UInt8]
    /// The request that brought it; nil when that is not known, as in state files of former versions.
    var origin: SendOrigin?

    /// Reads a send by tags, or to all (reference, sections 3 and 4).
    ///
    /// - Parameter request: the request.
    /// - Throws: a 400 when format, tags, type or payload are wrong.
    init(_ request: HubRequest) throws(HubFailure) {
        let tags = request.headers["servicebusnotification-tags"]
        let audience = try tags.map { text throws(HubFailure) in
            SendAudience.matching(try Self.expression(text))
        }
        try self.init(
            request.headers, payload: request.body, to: audience ?? .everyone, tags: tags)
        origin = SendOrigin(request)
    }

    /// Reads what a send of any kind has in common.
    ///
    /// - Parameters:
    ///   - fields: the headers of the request, names in lower case.
    ///   - payload: the body of the notification.
    ///   - audience: whom it is for.
    ///   - tags: the tag expression as sent.
    /// - Throws: a 400 when format, type or payload are wrong.
    init(
        _ fields: [String: String], payload: [UInt8], to audience: SendAudience,
        tags: String? = nil
    ) throws(HubFailure) {
        guard !payload.isEmpty else { throw .badRequest("The notification has no payload.") }
        let platform = try Self.platform(format: fields["servicebusnotification-format"])
        var headers = PushHeaders.relevant(of: fields, for: platform)
        guard let platform else {
            content = .template(try TemplateProperties(payload))
            self.audience = audience
            self.tags = tags
            self.headers = headers
            self.payload = payload
            return
        }
        if platform == .wns {
            let type = try Self.type(headers["x-wns-type"], payload)
            try Self.checkMedia(headers["content-type"], of: type)
            headers["x-wns-type"] = type.rawValue
        }
        do {
            content = .native(
                platform,
                refusal: try PushServiceRules.refusal(
                    of: payload, headers: headers, on: platform))
        } catch {
            throw .badRequest("The notification payload is not a JSON object.")
        }
        self.audience = audience
        self.tags = tags
        self.headers = headers
        self.payload = payload
    }

    /// The push service of a format; nil for a template send, which is also one without a format
    /// (reference, section 3.3).
    private static func platform(format: String?) throws(HubFailure) -> LocalHubPlatform? {
        guard let format, format.lowercased() != "template" else { return nil }
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

    /// Recorded: the service itself refuses a raw notification that is labelled as text.
    private static func checkMedia(
        _ header: String?, of type: WNSNotificationType
    ) throws(HubFailure) {
        let media = header?.prefix { $0 != ";" && $0 != " " }.lowercased()
        guard type == .raw, let media, media != "application/octet-stream" else { return }
        throw .badRequest(
            "The content type for a 'wns/raw' notification must be 'application/octet-stream'")
    }

    private static func type(
        _ header: String?, _ payload: [UInt8]
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
}
