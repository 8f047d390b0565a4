/// A shared access rule of the hub: a name, a key and the rights that it grants.
package struct LocalHubRule: Sendable, Hashable {
    /// The rule's name, the token's `skn`; 1 to 256 characters.
    package var name: String
    /// The key text, 1 to 256 characters; its UTF-8 bytes sign tokens, undecoded.
    package var key: String
    /// The rights.
    package var claims: Set<LocalHubClaim>

    /// Makes a rule.
    ///
    /// - Parameters:
    ///   - name: the rule's name, 1 to 256 characters.
    ///   - key: the key text, 1 to 256 characters.
    ///   - claims: the rights that the rule grants.
    package init(name: String, key: String, claims: Set<LocalHubClaim>) {
        self.name = name
        self.key = key
        self.claims = claims
    }

    /// Whether a holder of the rule may do what needs a claim.
    func grants(_ claim: LocalHubClaim) -> Bool {
        claims.contains(claim) || claims.contains(.manage)
    }
}

extension LocalHubRule {
    /// Reads rules as an owner of keys writes them: a line each, with a name, a key and rights.
    ///
    /// - Parameters:
    ///   - text: the lines; those that are empty or begin with # count for nothing.
    ///   - setting: where they come from, for whoever has to mend them.
    /// - Throws: `LocalHubError` for the first line that is no rule, without any part of a key.
    package static func read(
        _ text: String, from setting: String
    ) throws(LocalHubError) -> [LocalHubRule] {
        var rules: [LocalHubRule] = []
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        for (index, line) in lines.enumerated() {
            let parts = line.split { $0 == " " || $0 == "\t" }.map(String.init)
            guard !parts.isEmpty, !line.hasPrefix("#") else { continue }
            let fault: String
            if parts.count != 3 {
                fault = "is not a name, a key and rights, with spaces between"
            } else if let claims = claims(parts[2]) {
                guard rules.contains(where: { $0.name == parts[0] }) else {
                    rules.append(LocalHubRule(name: parts[0], key: parts[1], claims: claims))
                    continue
                }
                fault = "has the name of a line before it"
            } else {
                fault = "has rights other than listen, send and manage"
            }
            throw .unreadableRule(line: index + 1, setting: setting, fault: fault)
        }
        return rules
    }

    /// Rights as `listen,send`; nil when one is unknown.
    private static func claims(_ text: String) -> Set<LocalHubClaim>? {
        let words = text.split(separator: ",", omittingEmptySubsequences: false)
        let known = words.compactMap { word in
            LocalHubClaim.allCases.first { $0.rawValue.lowercased() == word.lowercased() }
        }
        return known.count == words.count ? Set(known) : nil
    }
}

extension LocalHubRule: CustomStringConvertible, CustomReflectable {
    /// The rule's name and rights, without the key.
    package var description: String {
        "\(name) (\(claims.map(\.rawValue).sorted().joined(separator: ", ")))"
    }

    /// The rule for dumps, without the key.
    package var customMirror: Mirror {
        Mirror(self, children: ["name": name, "claims": claims])
    }
}

/// A right that a shared access rule grants (reference, section 2).
package enum LocalHubClaim: String, Sendable, CaseIterable, Codable {
    /// Create, update, read and delete single registrations and installations.
    case listen = "Listen"
    /// Send notifications.
    case send = "Send"
    /// Everything.
    case manage = "Manage"
}

/// The well-known development rules.
///
/// Their keys are fixed and published, so that they can be written into a configuration once. They
/// protect nothing: with them the local hub listens on loopback only, and answers only requests for its own hosts.
/// The names of the first and the last are those that the real service makes for every hub.
extension LocalHubRule {
    /// May register devices: Listen.
    package static let developmentListen = LocalHubRule(
        name: "DefaultListenSharedAccessSignature",
        key: "aHVic2VuZCBsb2NhbCBodWI6IGxpc3RlbiBvbmx5Li4=", claims: [.listen])

    /// May send: Send.
    package static let developmentSend = LocalHubRule(
        name: "DefaultSendSharedAccessSignature",
        key: "aHVic2VuZCBsb2NhbCBodWI6IHNlbmQgb25seS4uLi4=", claims: [.send])

    /// May do everything: Listen, Send, Manage.
    package static let developmentFull = LocalHubRule(
        name: "DefaultFullSharedAccessSignature",
        key: "aHVic2VuZCBsb2NhbCBodWI6IGZ1bGwgYWNjZXNzLi4=", claims: [.listen, .send, .manage])

    /// The three of them.
    package static let development = [developmentListen, developmentSend, developmentFull]
}
