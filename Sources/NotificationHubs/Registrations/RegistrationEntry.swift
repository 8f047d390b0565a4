import CampaignCore
import Foundation

/// Writes a registration as the Atom entry that hubs take: elements in the order that is enforced
/// (reference: sections 6.2 to 6.4).
struct RegistrationEntry {
    /// The entry.
    let xml: String

    /// Writes a registration.
    ///
    /// - Parameter registration: the registration.
    /// - Throws: ``RegistrationError`` for what no hub would take.
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
        let escaped = text.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
            .replacing(">", with: "&gt;").replacing("\r", with: "&#13;")
        return "<\(name)>\(escaped)</\(name)>"
    }

    private static func cdata(_ text: String) throws(RegistrationError) -> String {
        guard text.unicodeScalars.allSatisfy(XMLText.canHold) else { throw .unwritableCharacter }
        return "<![CDATA[\(text.replacing("]]>", with: "]]]]><![CDATA[>"))]]>"
    }
}
