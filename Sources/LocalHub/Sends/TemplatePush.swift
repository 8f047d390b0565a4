import Foundation

/// What a template registration makes of a template send (reference, sections 3.5, 6.4 and 7).
struct TemplatePush {
    /// The headers for the push service, names in lower case.
    private(set) var headers: [String: String]
    /// The payload.
    let body: [UInt8]
    /// Why the push service refuses it; nil when it takes it.
    let refusal: PushRefusal?

    /// Renders a registration's template.
    ///
    /// The registration's own headers win over those of the send, since they belong to its body.
    ///
    /// - Parameters:
    ///   - template: the template.
    ///   - platform: the push service.
    ///   - headers: the headers of the send that matter to push services.
    ///   - render: puts the properties into a text with template expressions; nil when that would be too
    ///     large.
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
        case .fcm, .gcm, .mpns, .adm, .browser, .xiaomi:
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
            return .dropped("What the template makes of the properties is not a JSON object.")
        }
    }

    private static func mediaType(
        on platform: LocalHubPlatform, headers: [String: String]
    ) -> String {
        switch platform {
        case .wns where headers["x-wns-type"]?.lowercased() == WNSNotificationType.raw.rawValue:
            "application/octet-stream"
        case .wns, .mpns: "application/xml"
        case .apns, .fcm, .gcm, .adm, .baidu, .browser, .xiaomi: "application/json"
        }
    }
}
