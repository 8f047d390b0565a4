import Foundation
import HTTPServing

/// A shared access rule of one hub; both keys are valid, so that they can be rotated one at a time.
struct AuthorizationRule: Sendable, Hashable, Codable {
    /// The `skn` of tokens.
    let name: String
    /// The rights, in the order given.
    let rights: [LocalHubClaim]
    let primaryKey: String
    let secondaryKey: String
    let created: Date
    /// When the rights or keys last changed.
    let modified: Date

    /// The default rules of every hub, by name.
    static let defaults: KeyValuePairs<String, [LocalHubClaim]> = [
        LocalHubRule.developmentListen.name: [.listen],
        LocalHubRule.developmentFull.name: [.listen, .manage, .send],
    ]

    /// Creates a key as the service does: 32 random bytes in Base64.
    static func makeKey(_ random: () -> UInt64) -> String {
        let bytes = (0..<4).flatMap { _ in
            var word = random()
            return (0..<8).map { _ in
                defer { word >>= 8 }
                return UInt8(truncatingIfNeeded: word)
            }
        }
        return Data(bytes).base64EncodedString()
    }

    /// The rules for checking tokens, one per key.
    var keyed: [LocalHubRule] {
        [primaryKey, secondaryKey].map {
            LocalHubRule(name: name, key: $0, claims: Set(rights))
        }
    }

    var xml: String {
        let rights = rights.map { XMLText.element("AccessRights", $0.rawValue) }.joined()
        return "<AuthorizationRule i:type=\"SharedAccessAuthorizationRule\">"
            + "<ClaimType>SharedAccessKey</ClaimType><ClaimValue>None</ClaimValue>"
            + "<Rights>\(rights)</Rights>"
            + XMLText.element("CreatedTime", ServiceTime.sevenDigits(created))
            + XMLText.element("ModifiedTime", ServiceTime.sevenDigits(modified))
            + XMLText.element("KeyName", name) + XMLText.element("PrimaryKey", primaryKey)
            + XMLText.element("SecondaryKey", secondaryKey) + "</AuthorizationRule>"
    }
}

extension AuthorizationRule: CustomStringConvertible, CustomReflectable {
    var description: String { "\(name) (\(rights.map(\.rawValue).joined(separator: ", ")))" }

    var customMirror: Mirror { Mirror(self, children: ["name": name, "rights": rights]) }
}

/// An `AuthorizationRule` element from a client; the hub fills in missing keys and times.
struct AuthorizationRuleDocument {
    let name: String
    private let rights: [LocalHubClaim]
    private let primaryKey: String?
    private let secondaryKey: String?

    private static let published = Set(LocalHubRule.development.map(\.key))

    /// Reads the element; throws a 400 for an unknown type of rule, or an invalid name, right or
    /// key.
    init(_ element: MarkupElement) throws(HubFailure) {
        let kind = element.attributes["type"]?.split(separator: ":").last ?? Self.kind[...]
        guard element.name == "AuthorizationRule", kind == Self.kind else {
            throw .badRequest(
                "An authorization rule has an unknown type; the only type is \(Self.kind).")
        }
        guard let name = Self.text("KeyName", of: element) else {
            throw .badRequest("An authorization rule has no KeyName.")
        }
        let shown = ClientText.quoted(name)
        let given = element["Rights"]?.children.map { Self.trimmed($0.text) } ?? []
        var rights: [LocalHubClaim] = []
        for text in given {
            guard let right = LocalHubClaim(rawValue: text) else {
                throw .badRequest(
                    "The rule \(shown) has the unknown right \(ClientText.quoted(text)); use Listen, "
                        + "Send or Manage.")
            }
            if !rights.contains(right) { rights.append(right) }
        }
        guard !rights.isEmpty else {
            throw .badRequest("The rule \(shown) has no rights; give it Listen, Send or Manage.")
        }
        self.name = name
        self.rights = rights
        primaryKey = Self.text("PrimaryKey", of: element)
        secondaryKey = Self.text("SecondaryKey", of: element)
        for text in [name, primaryKey, secondaryKey].compactMap(\.self)
        where text.utf8.count > 256 || text.contains(";") {
            // SDKs refuse longer names and keys, and a semicolon would break the connection string.
            throw .badRequest(
                "The name and keys of the rule \(shown) must have 1 to 256 characters and no "
                    + "semicolon.")
        }
        // The hub may later restore this state when it is restarted with secret keys only; in that
        // case, a published key must not grant access.
        guard !Self.published.contains(primaryKey ?? ""),
            !Self.published.contains(secondaryKey ?? "")
        else {
            throw .badRequest(
                "A key of the rule \(shown) is a published development key; use another key, or omit it."
            )
        }
    }

    /// The rule; a missing key is taken from the existing rule with this name, or generated.
    func rule(
        replacing known: AuthorizationRule?, at time: Date, random: () -> UInt64
    ) -> AuthorizationRule {
        let primary = primaryKey ?? known?.primaryKey ?? AuthorizationRule.makeKey(random)
        let secondary = secondaryKey ?? known?.secondaryKey ?? AuthorizationRule.makeKey(random)
        if let known, known.rights == rights, known.primaryKey == primary,
            known.secondaryKey == secondary
        {
            return known
        }
        return AuthorizationRule(
            name: name, rights: rights, primaryKey: primary, secondaryKey: secondary,
            created: known?.created ?? time, modified: time)
    }

    private static let kind = "SharedAccessAuthorizationRule"

    private static func text(_ name: String, of element: MarkupElement) -> String? {
        element[name].map { trimmed($0.text) }.flatMap { $0.isEmpty ? nil : $0 }
    }

    private static func trimmed(_ text: String) -> String {
        text.trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
