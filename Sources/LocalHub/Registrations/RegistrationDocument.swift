import Foundation
import HTTPServing

/// A registration from a client: an Atom entry that contains a description, or, in a row of a job,
/// only the description.
///
/// The description is a concrete element, or `RegistrationDescription` with an `i:type`; its
/// elements can be in any order. Elements that only the hub sets (`ETag`, `ExpirationTime`,
/// `RegistrationId`) are ignored.
struct RegistrationDocument {
    private let kind: RegistrationKind
    private let description: MarkupElement

    private static let longestTemplateName = 200
    private static let mostPushVariables = 100

    init(_ body: [UInt8]) throws(HubFailure) {
        let entry = try MarkupReader.read(body)
        guard entry.name == "entry", let description = entry["content"]?.children.first else {
            throw .badRequest(
                "The body is not an Atom entry with a registration description in its content.")
        }
        try self.init(description)
    }

    init(row: [UInt8]) throws(HubFailure) {
        try self.init(MarkupReader.read(row))
    }

    private init(_ description: MarkupElement) throws(HubFailure) {
        var name = description.name
        if name == "RegistrationDescription", let type = description.attributes["type"] {
            name = String(type.split(separator: ":").last ?? "")
        }
        guard let kind = RegistrationKind(elementName: name) else {
            throw .badRequest(
                "The element \(ClientText.quoted(name)) is not a registration description.")
        }
        self.kind = kind
        self.description = description
    }

    /// Reads a registration id, which is part of the address of requests; throws a 400 if it is not
    /// an id.
    func id() throws(HubFailure) -> String? {
        guard let id = text("RegistrationId") else { return nil }
        guard RegistrationID.isValid(id) else { throw .invalidRegistrationID }
        return id
    }

    /// Reads a description; throws a 400 for the first missing or invalid value.
    func registration(id: String, version: Int, at time: Date) throws(HubFailure) -> Registration {
        var tags = (text("Tags") ?? "").split(separator: ",")
            .map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
        let template = try template()
        // The name of the template is removed from the tags, because it need not be a valid tag;
        // registrations of installations include it in their tags.
        let ruled = Set(
            try TagRules.checked(tags.filter { $0 != template?.name }, allowsSpecial: true))
        var seen: Set<String> = []
        tags = tags.filter {
            seen.insert($0).inserted && (ruled.contains($0) || $0 == template?.name)
        }
        return Registration(
            id: id, version: version, updated: time, platform: kind.platform,
            channel: try channel(), tags: tags, pushVariables: try pushVariables(),
            template: template)
    }

    private func channel() throws(HubFailure) -> PushChannel {
        let parts = try kind.platform.handleElements.map { name throws(HubFailure) in
            try required(name)
        }
        switch kind.platform {
        case .apns:
            guard parts[0].utf8.count.isMultiple(of: 2), parts[0].utf8.allSatisfy(\.isHexDigit)
            else {
                throw .badRequest(
                    "The DeviceToken does not have an even number of hexadecimal "
                        + "digits.")
            }
            return .handle(parts[0].uppercased())
        case .wns, .mpns:
            return text("SecondaryTileName").map { .tile(channelURI: parts[0], name: $0) }
                ?? .handle(parts[0])
        case .baidu: return .baidu(userID: parts[0], channelID: parts[1])
        case .browser: return .browser(endpoint: parts[0], p256dh: parts[1], auth: parts[2])
        default: return .handle(parts[0])
        }
    }

    private func template() throws(HubFailure) -> RegistrationTemplate? {
        guard kind.isTemplate else { return nil }
        let headers = try headers()
        if kind.platform == .wns, !headers.contains(where: { $0.name.lowercased() == "x-wns-type" })
        {
            throw .badRequest(
                "A template for Windows requires the header X-WNS-Type in "
                    + "WnsHeaders.")
        }
        let name = text("TemplateName")
        if let name, name.count > Self.longestTemplateName {
            throw .badRequest(
                "The TemplateName is longer than \(Self.longestTemplateName) characters.")
        }
        let template = RegistrationTemplate(
            body: try required("BodyTemplate"), name: name, headers: headers,
            expiry: text("Expiry"), priority: text("Priority"), messageType: text("MessageType"))
        // All of these values can contain expressions.
        let settings = [template.expiry, template.priority, template.messageType].compactMap(\.self)
        for text in [template.body] + headers.map(\.value) + settings {
            _ = try TemplateBody(text)
        }
        return template
    }

    private func headers() throws(HubFailure) -> [RegistrationTemplate.Header] {
        guard let elements = kind.platform.facts.headers, let list = description[elements.list]
        else { return [] }
        return try list.children.filter { $0.name == elements.item }.map {
            item throws(HubFailure) in
            guard let name = item["Header"]?.text, !name.isEmpty else {
                throw .badRequest("A header in \(elements.list) has no name.")
            }
            return RegistrationTemplate.Header(name: name, value: item["Value"]?.text ?? "")
        }
    }

    private func pushVariables() throws(HubFailure) -> [String: String] {
        guard let text = text("PushVariables") else { return [:] }
        do {
            let variables = try JSONDecoder().decode([String: String].self, from: Data(text.utf8))
            guard variables.count <= Self.mostPushVariables else {
                throw HubFailure.badRequest(
                    "There are more than \(Self.mostPushVariables) push variables.")
            }
            return variables
        } catch let failure as HubFailure {
            throw failure
        } catch {
            throw .badRequest("PushVariables is not a JSON object of strings.")
        }
    }

    private func required(_ name: String) throws(HubFailure) -> String {
        guard let text = text(name) else {
            throw .badRequest("The element \(name) is missing or empty.")
        }
        return text
    }

    /// The text of an element; nil if it is missing, empty or has no value.
    private func text(_ name: String) -> String? {
        description[name].flatMap { $0.text.isEmpty ? nil : $0.text }
    }
}
