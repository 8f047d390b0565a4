/// One campaign file, read and found good.
package struct Campaign: Sendable {
    /// `[a-z0-9-]{1,60}`, unique in a store.
    package let name: String
    package let description: String?
    package let kind: CampaignKind
    /// In the file's order, each once, never empty.
    package let platforms: [Platform]
    package let audience: AudienceRule
    package let payload: Payload
    package let delivery: DeliveryPolicy
    /// A fingerprint of each top-level key's value, to name what was changed since a run was staged.
    package let fingerprints: [String: String]

    package init(
        name: String, description: String?, kind: CampaignKind, platforms: [Platform],
        audience: AudienceRule, payload: Payload, delivery: DeliveryPolicy,
        fingerprints: [String: String]
    ) {
        self.name = name
        self.description = description
        self.kind = kind
        self.platforms = platforms
        self.audience = audience
        self.payload = payload
        self.delivery = delivery
        self.fingerprints = fingerprints
    }

    /// The columns that the payload draws on, in the order in which ``AudienceMember/values`` holds them.
    package var variables: [String] { payload.variables }
}
