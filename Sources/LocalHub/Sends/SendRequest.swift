import HTTPServing
import HTTPTypes

/// A well-formed send: the content and the targets.
struct SendRequest: Sendable, Hashable, Codable {
    let content: SendContent
    let audience: SendAudience
    /// The tag expression as sent.
    let tags: String?
    /// The headers for push services; names are in lower case.
    let headers: [String: String]
    /// The payload, or the properties for templates.
    let payload: [UInt8]
    /// The request; nil if it is unknown, for example in state files of earlier versions.
    var origin: SendOrigin?

    /// Reads a send to tags or to all devices.
    init(_ request: HubRequest) throws(HubFailure) {
        let tags = request.headers["servicebusnotification-tags"]
        let audience = try tags.map { text throws(HubFailure) in
            SendAudience.matching(try Self.expression(text))
        }
        try self.init(
            request.headers, payload: request.body, to: audience ?? .everyone, tags: tags)
        origin = SendOrigin(request)
    }

    /// Reads the parts that all sends have in common; throws a 400 if the format, type or payload
    /// is invalid.
    init(
        _ fields: [String: String], payload: [UInt8], to audience: SendAudience,
        tags: String? = nil
    ) throws(HubFailure) {
        guard !payload.isEmpty else { throw .badRequest("The notification has no payload.") }
        let platform = try Self.platform(format: fields["servicebusnotification-format"])
        var headers = PushHeaders.relevant(of: fields, for: platform)
        self.audience = audience
        self.tags = tags
        self.payload = payload
        guard let platform else {
            content = .template(try TemplateProperties(payload))
            self.headers = headers
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
        self.headers = headers
    }

    /// The push service of a format; nil for a template send, for which the format is optional.
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

    /// In recordings, the service itself refuses a raw notification with a text content type.
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
                    "X-WNS-Type is missing, and the payload is not a toast, tile or badge.")
            }
            return guessed
        }
        guard let type = WNSNotificationType(rawValue: header.lowercased()) else {
            throw .badRequest("X-WNS-Type \(ClientText.quoted(header)) is unknown.")
        }
        return type
    }
}

enum SendContent: Sendable, Hashable, Codable {
    /// A payload for one push service, which is validated only once for all devices.
    case native(LocalHubPlatform, refusal: PushRefusal?)
    /// The properties from which the template of each registration is rendered.
    case template(TemplateProperties)

    var platform: LocalHubPlatform? {
        switch self {
        case .native(let platform, _): platform
        case .template: nil
        }
    }
}

enum SendAudience: Sendable, Hashable, Codable {
    case everyone
    case matching(TagExpression)
    case channels([PushChannel])

    /// The tag expression; nil if the send has none.
    var expression: TagExpression? {
        switch self {
        case .everyone, .channels: nil
        case .matching(let expression): expression
        }
    }
}

/// The request of a send as it is shown: without secrets, and with long values truncated.
struct SendOrigin: Sendable, Hashable, Codable {
    /// The maximum length of a path in characters.
    static let longestPath = 2_048
    /// The maximum length of a value in characters.
    static let longestValue = 1_024
    /// The limit for all header names and values together, in bytes; the rest is omitted.
    static let mostHeaderBytes = 8_192

    private static let secrets: Set = [
        "authorization", "proxy-authorization", "cookie", "hubsend-token", "auth", "p256dh",
    ]

    let method: String
    let path: String
    /// The headers, without secrets; names are in lower case.
    let headers: [String: String]

    init(_ request: HubRequest) {
        method = request.method.rawValue
        path = Self.cut(request.target.text, to: Self.longestPath)
        var headers: [String: String] = [:]
        var bytes = 0
        for (name, value) in request.headers.sorted(by: { $0.key < $1.key })
        where !Self.secrets.contains(name) {
            let value = Self.cut(value, to: Self.longestValue)
            bytes += name.utf8.count + value.utf8.count
            guard bytes <= Self.mostHeaderBytes else { break }
            headers[name] = value
        }
        self.headers = headers
    }

    /// The approximate size in memory, in bytes.
    var size: Int {
        headers.reduce(128 + method.utf8.count + path.utf8.count) {
            $0 + 64 + $1.key.utf8.count + $1.value.utf8.count
        }
    }

    private static func cut(_ text: String, to length: Int) -> String {
        guard text.utf8.count > length, text.unicodeScalars.count > length else { return text }
        return String(String.UnicodeScalarView(text.unicodeScalars.prefix(length))) + "…"
    }
}
