import Foundation

/// A shared access rule of one hub, with two keys that are equally good, so that one can be changed after the other
/// (reference, section 13).
struct AuthorizationRule: Sendable, Hashable, Codable {
    /// Its name, the `skn` of tokens.
    let name: String
    /// What its holders may do, in the order given.
    let rights: [LocalHubClaim]
    /// The first key.
    let primaryKey: String
    /// The second key.
    let secondaryKey: String
    /// When the hub got it.
    let created: Date
    /// When its rights or keys last changed.
    let modified: Date

    /// The rules that every hub begins with, by name.
    static let defaults: KeyValuePairs<String, [LocalHubClaim]> = [
        LocalHubRule.developmentListen.name: [.listen],
        LocalHubRule.developmentFull.name: [.listen, .manage, .send],
    ]

    /// A key as the service makes it: 32 random bytes in base64.
    ///
    /// - Parameter random: a source of 64 random bits.
    /// - Returns: the key.
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

    /// The rule as tokens are checked against it, once for each key.
    var keyed: [LocalHubRule] {
        [primaryKey, secondaryKey].map {
            LocalHubRule(name: name, key: $0, claims: Set(rights))
        }
    }

    /// The element of the rule.
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
    /// The rule's name and rights, without the keys.
    var description: String {
        "\(name) (\(rights.map(\.rawValue).joined(separator: ", ")))"
    }

    /// The rule for dumps, without the keys.
    var customMirror: Mirror {
        Mirror(self, children: ["name": name, "rights": rights])
    }
}
