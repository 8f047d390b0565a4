import Foundation

extension Registration {
    /// Reads an Atom entry.
    ///
    /// - Parameter entry: the element; nil is returned when it is no registration's.
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
            // Without them it would be written back without them.
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
    /// Reads the template of a description.
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
