import Foundation

/// The description of a hub: `NotificationHubDescription`.
///
/// Credentials are returned as they were sent. Requests to the hub are signed with the keys of the
/// rules.
struct HubDescription: Sendable, Hashable, Codable {
    struct Element: Sendable, Hashable, Codable {
        let name: String
        /// The text of the element; empty for a credential.
        let value: String
        /// The properties of a push service's credential; nil for any other element.
        var credential: [Property]?
    }

    struct Property: Sendable, Hashable, Codable {
        let name: String
        /// The text of the property, which is often a secret.
        let value: String
    }

    /// The usage of the hub since it started; the service counts usage per day.
    struct Usage: Sendable, Hashable {
        var sends = 0
        var pushes = 0
        var devices = 0
        var registrations = 0
    }

    var elements: [Element] = []
    var rules: [AuthorizationRule] = []
    var created: Date
    var updated: Date

    private enum CodingKeys: String, CodingKey {
        case elements = "properties"
        case rules
        case created
        case updated
    }

    /// The required order of the oldest elements; .NET ignores elements that are out of order.
    private static let order = [
        "Path", "ApnsCredential", ttl, "WnsCredential", rulesName, "GcmCredential",
        "MpnsCredential",
    ]
    private static let ttl = "RegistrationTtl"
    private static let rulesName = "AuthorizationRules"

    init(created time: Date) {
        created = time
        updated = time
    }

    /// Reads a description from a state file, in which the rules may be missing.
    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        elements = try values.decode([Element].self, forKey: .elements)
        rules = try values.decodeIfPresent([AuthorizationRule].self, forKey: .rules) ?? []
        created = try values.decode(Date.self, forKey: .created)
        updated = try values.decode(Date.self, forKey: .updated)
    }

    /// Checks tokens against the rules of the hub and of the namespace; nil if the hub has no rules
    /// of its own.
    func verifier(beside namespaceRules: [LocalHubRule], skew: Duration) -> TokenVerifier? {
        rules.isEmpty
            ? nil : TokenVerifier(rules: namespaceRules + rules.flatMap(\.keyed), skew: skew)
    }

    /// The description element; the response to a write does not include the usage.
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
    /// The usage elements, in the order recorded from the service; only sends are counted as API
    /// calls.
    fileprivate var xml: String {
        let elements = [
            ("Operations", sends), ("MaxActiveDevices", devices),
            ("MaxActiveRegistrations", registrations), ("Pushes", pushes), ("ApiCalls", sends),
        ]
        return elements.map { XMLText.element("Daily\($0)", "\($1)") }.joined()
    }
}

extension HubDescription.Property: CustomStringConvertible, CustomReflectable {
    /// Hides the text.
    var description: String { name }

    /// Hides the text.
    var customMirror: Mirror { Mirror(self, children: ["name": name]) }
}
