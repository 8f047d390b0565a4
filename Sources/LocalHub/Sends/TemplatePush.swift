import Foundation

/// The push that a template registration renders from a template send.
struct TemplatePush {
    /// The headers, with names in lower case.
    private(set) var headers: [String: String]
    let body: [UInt8]
    let refusal: PushRefusal?

    /// Renders a registration's template, whose headers override those of the send.
    ///
    /// `render` fills in the properties, and returns nil if the result would be too large.
    init(
        _ template: RegistrationTemplate, on platform: LocalHubPlatform,
        headers: [String: String], render: (String) -> String?
    ) {
        let rendered = render(template.body)
        let body = Array((rendered ?? "").utf8)
        var headers = PushHeaders.applicable(headers, to: platform)
        for header in template.headers {
            headers[header.name.lowercased()] = render(header.value) ?? header.value
        }
        switch platform {
        case .apns:
            headers["apns-priority"] = template.priority.flatMap(render) ?? headers["apns-priority"]
            let expiration = template.expiry.flatMap(render).flatMap(PushHeaders.expiration)
            headers["apns-expiration"] = expiration ?? headers["apns-expiration"]
        case .wns:
            let type = headers["x-wns-type"] ?? WNSNotificationType(rootElementOf: body)?.rawValue
            headers["x-wns-type"] = type
        case .baidu:
            let type = template.messageType.flatMap(render)
            headers["x-baidu-message-type"] = type ?? headers["x-baidu-message-type"]
        default:
            break
        }
        headers["content-type"] = Self.mediaType(on: platform, headers: headers)
        self.headers = headers
        self.body = body
        refusal =
            rendered == nil ? .tooLarge : Self.refusal(of: body, headers: headers, on: platform)
    }

    private static func refusal(
        of body: [UInt8], headers: [String: String], on platform: LocalHubPlatform
    ) -> PushRefusal? {
        do {
            return try PushServiceRules.refusal(of: body, headers: headers, on: platform)
        } catch {
            return .dropped("With the properties filled in, the template is not a JSON object.")
        }
    }

    private static func mediaType(
        on platform: LocalHubPlatform, headers: [String: String]
    ) -> String {
        let type = headers["x-wns-type"]?.lowercased()
        return platform == .wns && type == WNSNotificationType.raw.rawValue
            ? "application/octet-stream" : platform.facts.mediaType
    }
}

/// The body of a template send, a flat JSON object of strings.
struct TemplateProperties: Sendable, Hashable, Codable {
    /// The properties; names are in lower case, because templates match them case-insensitively.
    let values: [String: String]

    /// Reads a body, ignoring properties that are `null`; throws a 400 for any other body.
    init(_ body: [UInt8]) throws(HubFailure) {
        let properties: [String: String?]
        do {
            properties = try JSONDecoder().decode([String: String?].self, from: Data(body))
        } catch {
            // The decoder's error message may contain values.
            throw .badRequest(
                "The payload of a template send is not a flat JSON object of strings.")
        }
        values = Self.folded(properties.compactMapValues(\.self))
    }

    /// The properties for a template; those of the send override the push variables of the
    /// registration.
    func merged(into registration: Registration) -> [String: String] {
        Self.folded(registration.pushVariables).merging(values) { $1 }
    }

    /// Names are in lower case; if two differ only in case, the alphabetically first wins.
    private static func folded(_ properties: [String: String]) -> [String: String] {
        Dictionary(
            properties.sorted { $0.key < $1.key }.map { ($0.key.lowercased(), $0.value) },
            uniquingKeysWith: { first, _ in first })
    }
}
