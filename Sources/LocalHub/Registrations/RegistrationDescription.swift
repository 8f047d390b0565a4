/// A registration as the service writes it: elements in a fixed order, without those that have no
/// value.
struct RegistrationDescription {
    enum Form {
        /// The response to a write, in which times have no time zone.
        case written
        /// The response to a read.
        case read
        /// A row in the file of a job: an element of the base type, on one line.
        case row
    }

    let registration: Registration
    let form: Form

    var xml: String {
        let kind = RegistrationKind(
            platform: registration.platform, isTemplate: registration.template != nil)
        let inner = common + channel(kind) + template(kind)
        guard form == .row else {
            return
                "<\(kind.elementName) \(XMLText.serviceNamespaces)>\(inner)</\(kind.elementName)>"
        }
        return "<RegistrationDescription xmlns:i=\"\(ServiceNamespace.instance)\" "
            + "i:type=\"\(kind.elementName)\" xmlns=\"\(ServiceNamespace.service)\">"
            + XMLText.oneLine(inner) + "</RegistrationDescription>"
    }

    private var common: String {
        var xml = XMLText.element("ETag", String(registration.version))
        xml += XMLText.element("ExpirationTime", expiration)
        xml += XMLText.element("RegistrationId", registration.id)
        if !registration.tags.isEmpty {
            xml += XMLText.element("Tags", registration.tags.joined(separator: ","))
        }
        if !registration.pushVariables.isEmpty {
            xml += XMLText.element("PushVariables", JSONText.object(registration.pushVariables))
        }
        return xml
    }

    /// In recordings of the service, the time has no time zone in the response to a write, ends
    /// with `Z` in the response to a read, and has seven decimal places for installations and
    /// exports.
    private var expiration: String {
        if let expiration = registration.expiration { return ServiceTime.milliseconds(expiration) }
        if registration.installationID != nil || form == .row {
            return "9999-12-31T23:59:59.9999999Z"
        }
        return "9999-12-31T23:59:59.999" + (form == .read ? "Z" : "")
    }

    private func channel(_ kind: RegistrationKind) -> String {
        var tile = ""
        if case .tile(_, let name) = registration.channel {
            tile = XMLText.element("SecondaryTileName", name)
        }
        return zip(kind.platform.handleElements, registration.channel.parts)
            .map { XMLText.element($0, $1) }.joined() + tile
    }

    private func template(_ kind: RegistrationKind) -> String {
        guard let template = registration.template else { return "" }
        // A row must be one line, but CDATA cannot escape a line break.
        let body =
            form == .row
            ? XMLText.element("BodyTemplate", template.body)
            : "<BodyTemplate>\(XMLText.cdata(template.body))</BodyTemplate>"
        // In recordings of the service, the element is also present for a template without a name.
        let name =
            template.name.map { XMLText.element("TemplateName", $0) }
            ?? "<TemplateName i:nil=\"true\"/>"
        switch kind.platform {
        case .apns:
            let expiry =
                template.expiry.map { XMLText.element("Expiry", $0) } ?? "<Expiry i:nil=\"true\"/>"
            let priority = template.priority.map { XMLText.element("Priority", $0) } ?? ""
            return body + expiry + name + priority + headers(template, kind)
        case .wns, .mpns:
            return body + headers(template, kind) + name
        case .baidu:
            let type = template.messageType.map { XMLText.element("MessageType", $0) } ?? ""
            return body + name + type
        default:
            return body + name
        }
    }

    private func headers(_ template: RegistrationTemplate, _ kind: RegistrationKind) -> String {
        guard let elements = kind.platform.facts.headers else { return "" }
        guard !template.headers.isEmpty else { return "<\(elements.list)/>" }
        let items = template.headers.map { header in
            "<\(elements.item)>" + XMLText.element("Header", header.name)
                + XMLText.element("Value", header.value) + "</\(elements.item)>"
        }
        return "<\(elements.list)>\(items.joined())</\(elements.list)>"
    }
}
