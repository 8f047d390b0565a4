import Foundation

/// The description of a hub: `NotificationHubDescription` (reference, sections 0 and 13).
///
/// A local hub reaches no push service: credentials are kept and given back as they came. Its rules count: their keys
/// sign requests to it.
struct HubDescription: Sendable, Hashable, Codable {
    /// An element of the description, other than the rules.
    struct Element: Sendable, Hashable, Codable {
        let name: String
        /// The element's text; that of a credential is empty.
        let value: String
        /// The properties of a push service's credential; nil for any other element.
        var credential: [Property]?
    }

    /// A property of a credential.
    struct Property: Sendable, Hashable, Codable {
        let name: String
        /// Its text, often a secret.
        let value: String
    }

    /// What the hub has done: the service counts by the day, this hub since its start.
    struct Usage: Sendable, Hashable {
        /// Sends that the hub took.
        var sends = 0
        /// Pushes that reached a device.
        var pushes = 0
        var devices = 0
        var registrations = 0
    }

    /// The elements, in the order given.
    var elements: [Element] = []
    /// The hub's own rules, in the order given.
    var rules: [AuthorizationRule] = []
    /// When the hub was created.
    var created: Date
    /// When the description last changed.
    var updated: Date

    private enum CodingKeys: String, CodingKey {
        case elements = "properties"
        case rules
        case created
        case updated
    }

    /// The order of the oldest elements; .NET skips one of them that stands elsewhere.
    private static let order = [
        "Path", "ApnsCredential", ttl, "WnsCredential", rulesName, "GcmCredential",
        "MpnsCredential",
    ]
    private static let ttl = "RegistrationTtl"
    private static let rulesName = "AuthorizationRules"

    /// The description of a hub that no client created; it has no rules of its own.
    init(created time: Date) {
        created = time
        updated = time
    }

    /// Reads what a state file kept, also one from before there were rules.
    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        elements = try values.decode([Element].self, forKey: .elements)
        rules = try values.decodeIfPresent([AuthorizationRule].self, forKey: .rules) ?? []
        created = try values.decode(Date.self, forKey: .created)
        updated = try values.decode(Date.self, forKey: .updated)
    }

    /// Checks tokens against the rules and those of the namespace; nil when the hub has no rules of its own.
    func verifier(beside namespaceRules: [LocalHubRule], skew: Duration) -> TokenVerifier? {
        rules.isEmpty
            ? nil : TokenVerifier(rules: namespaceRules + rules.flatMap(\.keyed), skew: skew)
    }

    /// The description element; the answer to a write says nothing of the usage.
    func xml(usage: Usage? = nil) -> String {
        var texts = [Self.ttl: XMLText.element(Self.ttl, "P90D")]
        for element in elements { texts[element.name] = element.xml }
        if !rules.isEmpty {
            texts[Self.rulesName] =
                "<\(Self.rulesName)>\(rules.map(\.xml).joined())</\(Self.rulesName)>"
        }
        return "<NotificationHubDescription \(XMLText.serviceNamespaces)>"
            + Self.order.compactMap { texts[$0] }.joined() + (usage?.xml ?? "")
            + elements.filter { !Self.order.contains($0.name) }.map(\.xml).joined()
            + "</NotificationHubDescription>"
    }
}

extension HubDescription.Element {
    fileprivate var xml: String {
        guard let credential else { return XMLText.element(name, value) }
        let properties = credential.map {
            "<Property>\(XMLText.element("Name", $0.name))"
                + "\(XMLText.element("Value", $0.value))</Property>"
        }
        return "<\(name)><Properties>\(properties.joined())</Properties></\(name)>"
    }
}

extension HubDescription.Usage {
    /// The elements in their recorded order; the hub counts no other calls than sends.
    fileprivate var xml: String {
        let elements = [
            ("Operations", sends), ("MaxActiveDevices", devices),
            ("MaxActiveRegistrations", registrations), ("Pushes", pushes), ("ApiCalls", sends),
        ]
        return elements.map { XMLText.element("Daily\($0)", "\($1)") }.joined()
    }
}

extension HubDescription.Property: CustomStringConvertible, CustomReflectable {
    /// The property's name, without the text.
    var description: String { name }

    /// The property for dumps, without the text.
    var customMirror: Mirror { Mirror(self, children: ["name": name]) }
}
