import CampaignCore
import Foundation

/// Writes a registration as the Atom entry that hubs take, whose order of elements is enforced.
struct RegistrationEntry {
    let xml: String

    init(_ registration: Registration) throws(RegistrationError) {
        guard let (kind, handles) = RegistrationKind.of(registration.channel) else {
            throw .unknownChannel
        }
        try RegistrationRules.check(tags: registration.tags)
        for handle in handles where !RegistrationRules.isHandle(handle) { throw .invalidHandle }
        var body = ""
        if !registration.tags.isEmpty {
            body += try Self.element("Tags", registration.tags.joined(separator: ","))
        }
        if !registration.pushVariables.isEmpty {
            body += try Self.element("PushVariables", JSONObjectText.of(registration.pushVariables))
        }
        for (name, handle) in zip(kind.handles, handles) { body += try Self.element(name, handle) }
        switch registration.channel {
        case .windows(_, let tile?), .windowsPhone(_, let tile?):
            body += try Self.element("SecondaryTileName", tile)
        default: break
        }
        if let template = registration.template { body += try Self.text(of: template, kind) }
        let name = kind.element(isTemplate: registration.template != nil)
        xml =
            "<?xml version=\"1.0\" encoding=\"utf-8\"?><entry xmlns=\"http://www.w3.org/2005/Atom\">"
            + "<content type=\"application/xml\"><\(name) "
            + "xmlns:i=\"http://www.w3.org/2001/XMLSchema-instance\" "
            + "xmlns=\"http://schemas.microsoft.com/netservices/2010/10/servicebus/connect\">"
            + "\(body)</\(name)></content></entry>"
    }

    private static func text(
        of template: RegistrationTemplate, _ kind: RegistrationKind
    ) throws(RegistrationError) -> String {
        guard (template.name ?? "").count <= RegistrationTemplate.nameLimit else {
            throw .templateNameTooLong
        }
        let hasType = template.headers.contains { $0.name.lowercased() == "x-wns-type" }
        if kind.name == "Windows", !hasType { throw .missingWNSType }
        let body = "<BodyTemplate>\(try cdata(template.body))</BodyTemplate>"
        let name = try optional("TemplateName", template.name)
        let headers = try headers(of: template, kind)
        switch kind.name {
        case "Apple":
            let expiry = try optional("Expiry", template.expiry)
            return body + expiry + name + (try optional("Priority", template.priority)) + headers
        case "Windows", "Mpns": return body + headers + name
        case "Baidu": return body + name + (try optional("MessageType", template.messageType))
        default: return body + name
        }
    }

    private static func headers(
        of template: RegistrationTemplate, _ kind: RegistrationKind
    ) throws(RegistrationError) -> String {
        guard let names = kind.headers, !template.headers.isEmpty else { return "" }
        var items = ""
        for header in template.headers {
            items += "<\(names.item)>" + (try element("Header", header.name))
            items += try element("Value", header.value) + "</\(names.item)>"
        }
        return "<\(names.list)>\(items)</\(names.list)>"
    }

    private static func optional(
        _ name: String, _ text: String?
    ) throws(RegistrationError) -> String {
        guard let text else { return "" }
        return try element(name, text)
    }

    private static func element(
        _ name: String, _ text: String
    ) throws(RegistrationError) -> String {
        guard text.unicodeScalars.allSatisfy(XMLText.canHold) else { throw .unwritableCharacter }
        let escaped = text.replacingBytes("&", with: "&amp;").replacingBytes("<", with: "&lt;")
            .replacingBytes(">", with: "&gt;").replacingBytes("\r", with: "&#13;")
        return "<\(name)>\(escaped)</\(name)>"
    }

    private static func cdata(_ text: String) throws(RegistrationError) -> String {
        guard text.unicodeScalars.allSatisfy(XMLText.canHold) else { throw .unwritableCharacter }
        return "<![CDATA[\(text.replacingBytes("]]>", with: "]]]]><![CDATA[>"))]]>"
    }
}

/// The names that a push service has in registrations.
struct RegistrationKind: Sendable, Hashable {
    private static let suffix = "RegistrationDescription"

    /// The beginning of its description elements' names.
    let name: String

    /// In their order.
    let handles: [String]

    /// The list of a template's headers, and the name of an item.
    var headers: (list: String, item: String)? {
        switch name {
        case "Apple": ("ApnsHeaders", "ApnsHeader")
        case "Windows": ("WnsHeaders", "WnsHeader")
        case "Mpns": ("MpnsHeaders", "MpnsHeader")
        default: nil
        }
    }

    func element(isTemplate: Bool) -> String {
        name + (isTemplate ? "Template" : "") + Self.suffix
    }

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

    /// nil for an unknown element.
    static func named(_ element: String) -> (kind: RegistrationKind, isTemplate: Bool)? {
        for kind in all {
            for isTemplate in [false, true]
            where kind.element(isTemplate: isTemplate) == element {
                return (kind, isTemplate)
            }
        }
        return nil
    }

    /// nil for an unknown push service.
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

    /// The channel of as many handles as ``handles`` names.
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

extension Registration {
    /// Reads an Atom entry; nil when it is not a registration's.
    init?(_ entry: HubElement) {
        guard entry.name == "entry", let description = entry.child("content")?.children.first
        else { return nil }
        var name = description.name
        if name == "RegistrationDescription", let type = description.attributes["type"] {
            name = String(type.split(separator: ":").last ?? "")
        }
        guard name.hasSuffix("RegistrationDescription") else { return nil }
        let tags = (description.text(of: "Tags") ?? "").split(separator: ",")
            .map { $0.trimmingCharacters(in: .whitespaces) }
        self.init(channel: .unknown(name: ForeignText.cleaned(name) ?? ""), tags: tags)
        id = description.text(of: "RegistrationId").flatMap(ForeignText.identifier)
        etag = description.text(of: "ETag").flatMap(ForeignText.identifier)
        expirationTime = description.text(of: "ExpirationTime").flatMap(ServiceDate.parse)
        if let text = description.text(of: "PushVariables"), !text.isEmpty {
            // Otherwise it would be written back without them.
            guard
                let variables = try? JSONDecoder().decode(
                    [String: String?].self, from: Data(text.utf8))
            else { return nil }
            pushVariables = variables.compactMapValues(\.self)
        }
        guard let (kind, isTemplate) = RegistrationKind.named(name) else { return }
        let handles = kind.handles.map { description.text(of: $0) ?? "" }
        channel = kind.channel(handles, tile: description.text(of: "SecondaryTileName"))
        if isTemplate { template = RegistrationTemplate(description, kind) }
    }
}

extension RegistrationTemplate {
    init(_ description: HubElement, _ kind: RegistrationKind) {
        let items = kind.headers.flatMap { description.child($0.list) }?.children ?? []
        self.init(
            body: description.text(of: "BodyTemplate") ?? "",
            name: description.text(of: "TemplateName"),
            headers: items.map {
                Header(name: $0.text(of: "Header") ?? "", value: $0.text(of: "Value") ?? "")
            },
            expiry: description.text(of: "Expiry"), priority: description.text(of: "Priority"),
            messageType: description.text(of: "MessageType"))
    }
}
