/// A shared access rule of the hub: a name, a key and the rights of who holds it.
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
