import Foundation

/// What a client says about a hub that it creates: `NotificationHubDescription` (reference, section 0).
///
/// Plain properties are kept and given back. Credentials of push services and access rules are taken and
/// forgotten: a local hub reaches no push service, and its keys are the same for every hub.
struct HubDescription: Sendable, Hashable, Codable {
    /// A property and its text.
    struct Property: Sendable, Hashable, Codable {
        /// The element's name.
        let name: String
        /// The element's text.
        let value: String
    }

    /// The properties in the order given.
    var properties: [Property] = []
    /// When the hub was created.
    var created: Date
    /// When the description last changed.
    var updated: Date

    private static let mostProperties = 32

    /// Describes a hub that nobody has described.
    ///
    /// - Parameter time: when it was created.
    init(created time: Date) {
        created = time
        updated = time
    }

    /// Reads the body of `PUT /{hub}`.
    ///
    /// - Parameters:
    ///   - body: an Atom entry with a `NotificationHubDescription` inside, or nothing.
    ///   - time: the hub's time.
    /// - Throws: a 400 when the body is something else.
    init(_ body: [UInt8], at time: Date) throws(HubFailure) {
        self.init(created: time)
        guard !body.isEmpty else { return }
        let entry = try MarkupReader.read(body)
        guard entry.name == "entry",
            let description = entry["content"]?.children.first,
            description.name == "NotificationHubDescription"
        else {
            throw .badRequest(
                "The body is no Atom entry with a NotificationHubDescription in its content.")
        }
        let plain = description.children.filter {
            $0.children.isEmpty && !$0.isNil && !$0.text.isEmpty
                && !$0.name.hasSuffix("Credential") && $0.name != "AuthorizationRules"
        }
        guard plain.count <= Self.mostProperties else {
            throw .badRequest("The description has more than \(Self.mostProperties) properties.")
        }
        properties = plain.map { Property(name: $0.name, value: $0.text) }
    }

    /// The description element.
    var xml: String {
        let elements = properties.map {
            "<\($0.name)>\(XMLText.escaped($0.value))</\($0.name)>"
        }
        return "<NotificationHubDescription \(XMLText.serviceNamespaces)>"
            + elements.joined() + "</NotificationHubDescription>"
    }
}
