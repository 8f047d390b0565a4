import CampaignCore
import Foundation

/// Writes a registration as an Atom entry; hubs enforce the order of its elements.
struct RegistrationEntry {
    let xml: String

    init(_ registration: Registration) throws(RegistrationError) {
        guard let (format, handles, tile) = registration.channel.parts else {
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
        for (name, handle) in zip(format.facts.handles, handles) {
            body += try Self.element(name, handle)
        }
        body += try Self.optional("SecondaryTileName", tile)
        if let template = registration.template { body += try Self.text(of: template, format) }
        let name = format.element(isTemplate: registration.template != nil)
        xml =
            "<?xml version=\"1.0\" encoding=\"utf-8\"?><entry xmlns=\"http://www.w3.org/2005/Atom\">"
            + "<content type=\"application/xml\"><\(name) "
            + "xmlns:i=\"http://www.w3.org/2001/XMLSchema-instance\" "
            + "xmlns=\"http://schemas.microsoft.com/netservices/2010/10/servicebus/connect\">"
            + "\(body)</\(name)></content></entry>"
    }

    private static func text(
        of template: RegistrationTemplate, _ format: NotificationFormat
    ) throws(RegistrationError) -> String {
        guard (template.name ?? "").count <= RegistrationTemplate.nameLimit else {
            throw .templateNameTooLong
        }
        let hasType = template.headers.contains { $0.name.lowercased() == "x-wns-type" }
        if format == .windows, !hasType { throw .missingWNSType }
        let body = "<BodyTemplate>\(try cdata(template.body))</BodyTemplate>"
        let name = try optional("TemplateName", template.name)
        let headers = try headers(of: template, format)
        switch format {
        case .apple:
            let expiry = try optional("Expiry", template.expiry)
            return body + expiry + name + (try optional("Priority", template.priority)) + headers
        case .windows, .windowsPhone: return body + headers + name
        case .baidu: return body + name + (try optional("MessageType", template.messageType))
        default: return body + name
        }
    }

    private static func headers(
        of template: RegistrationTemplate, _ format: NotificationFormat
    ) throws(RegistrationError) -> String {
        guard let names = format.facts.headers, !template.headers.isEmpty else { return "" }
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
        return "<\(name)>\(XMLText.escaped(text))</\(name)>"
    }

    private static func cdata(_ text: String) throws(RegistrationError) -> String {
        guard text.unicodeScalars.allSatisfy(XMLText.canHold) else { throw .unwritableCharacter }
        return "<![CDATA[\(text.replacingBytes("]]>", with: "]]]]><![CDATA[>"))]]>"
    }
}

extension Registration {
    /// Reads an Atom entry; returns nil if it is not a registration.
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
            // Without this check, the registration could be written back without its variables.
            guard
                let variables = try? JSONDecoder().decode(
                    [String: String?].self, from: Data(text.utf8))
            else { return nil }
            pushVariables = variables.compactMapValues(\.self)
        }
        guard let (format, isTemplate) = NotificationFormat.named(name) else { return }
        let handles = format.facts.handles.map { description.text(of: $0) ?? "" }
        channel = DeviceChannel(
            format, handles, tile: description.text(of: "SecondaryTileName"))
        if isTemplate { template = RegistrationTemplate(description, format) }
    }
}

extension RegistrationTemplate {
    init(_ description: HubElement, _ format: NotificationFormat) {
        let items = format.facts.headers.flatMap { description.child($0.list) }?.children ?? []
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
