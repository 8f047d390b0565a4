/// A shared access rule of the hub: a name, a key and the rights that it grants.
package struct LocalHubRule: Sendable, Hashable {
    /// The name of the rule, which tokens contain as `skn`; 1 to 256 characters.
    package var name: String
    /// The key, 1 to 256 characters; tokens are signed with its UTF-8 bytes, not with decoded
    /// Base64.
    package var key: String
    package var claims: Set<LocalHubClaim>

    func grants(_ claim: LocalHubClaim) -> Bool {
        claims.contains(claim) || claims.contains(.manage)
    }
}

extension LocalHubRule {
    /// Reads one rule per line (name, key and rights); skips empty lines and lines that begin with
    /// `#`.
    package static func read(
        _ text: String, from setting: String
    ) throws(LocalHubError) -> [LocalHubRule] {
        var rules: [LocalHubRule] = []
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        for (index, line) in lines.enumerated() {
            let parts = line.split { $0 == " " || $0 == "\t" }.map(String.init)
            guard !parts.isEmpty, !line.hasPrefix("#") else { continue }
            let problem: String
            if parts.count != 3 {
                problem = "must consist of a name, a key and rights, separated by spaces"
            } else if let claims = claims(parts[2]) {
                guard rules.contains(where: { $0.name == parts[0] }) else {
                    rules.append(LocalHubRule(name: parts[0], key: parts[1], claims: claims))
                    continue
                }
                problem = "has the same name as an earlier line"
            } else {
                problem = "has a right other than listen, send and manage"
            }
            throw .unreadableRule(line: index + 1, setting: setting, problem: problem)
        }
        return rules
    }

    /// Parses rights such as `listen,send`; nil if any of them is unknown.
    private static func claims(_ text: String) -> Set<LocalHubClaim>? {
        let words = text.split(separator: ",", omittingEmptySubsequences: false)
        let known = words.compactMap { word in
            LocalHubClaim.allCases.first { $0.rawValue.lowercased() == word.lowercased() }
        }
        return known.count == words.count ? Set(known) : nil
    }
}

extension LocalHubRule: CustomStringConvertible, CustomReflectable {
    package var description: String {
        "\(name) (\(claims.map(\.rawValue).sorted().joined(separator: ", ")))"
    }

    package var customMirror: Mirror { Mirror(self, children: ["name": name, "claims": claims]) }
}

/// A right that a shared access rule grants.
package enum LocalHubClaim: String, Sendable, CaseIterable, Codable {
    case listen = "Listen"
    case send = "Send"
    case manage = "Manage"
}

/// The development rules, whose keys are published.
///
/// They protect nothing, so a hub that uses them listens only on loopback. The service also creates
/// rules with the first and last of these names.
extension LocalHubRule {
    package static let developmentListen = LocalHubRule(
        name: "DefaultListenSharedAccessSignature",
        key: "aHVic2VuZCBsb2NhbCBodWI6IGxpc3RlbiBvbmx5Li4=", claims: [.listen])

    package static let developmentSend = LocalHubRule(
        name: "DefaultSendSharedAccessSignature",
        key: "aHVic2VuZCBsb2NhbCBodWI6IHNlbmQgb25seS4uLi4=", claims: [.send])

    package static let developmentFull = LocalHubRule(
        name: "DefaultFullSharedAccessSignature",
        key: "aHVic2VuZCBsb2NhbCBodWI6IGZ1bGwgYWNjZXNzLi4=", claims: [.listen, .send, .manage])

    package static let development = [developmentListen, developmentSend, developmentFull]
}
