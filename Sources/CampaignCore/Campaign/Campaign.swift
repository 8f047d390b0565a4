/// A valid campaign file.
package struct Campaign: Sendable {
    /// The payload file's key in ``fingerprints``.
    ///
    /// It contains a dot, so it cannot be mistaken for a top-level key.
    package static let payloadFileKey = "payload.file"

    /// A name according to ``isName(_:longest:)``, unique in a store.
    package let name: String
    package let description: String?
    package let kind: CampaignKind
    /// The platforms in the file's order, without repeats; never empty.
    package let platforms: [Platform]
    package let audience: AudienceRule
    package let payload: Payload
    /// nil if the campaign is started by hand.
    package let schedule: Schedule?
    /// When people may be reached; nil means at any time.
    package let sendTimes: SendTimeRule?
    /// A push to people who have not fetched the payload; nil means none.
    package let fallback: Fallback?
    package let delivery: DeliveryPolicy
    /// Fingerprints of the top-level keys and, as ``payloadFileKey``, of the payload file, which
    /// show what has changed since staging.
    package let fingerprints: [String: String]

    package init(
        name: String, description: String?, kind: CampaignKind, platforms: [Platform],
        audience: AudienceRule, payload: Payload, schedule: Schedule? = nil,
        sendTimes: SendTimeRule? = nil, fallback: Fallback? = nil, delivery: DeliveryPolicy,
        fingerprints: [String: String]
    ) {
        self.name = name
        self.description = description
        self.kind = kind
        self.platforms = platforms
        self.audience = audience
        self.payload = payload
        self.schedule = schedule
        self.sendTimes = sendTimes
        self.fallback = fallback
        self.delivery = delivery
        self.fingerprints = fingerprints
    }

    /// Whether text is a campaign name: `[a-z0-9-]{1,60}`.
    ///
    /// - Parameter longest: less than 60 if the text is only the beginning of a name.
    package static func isName(_ text: String, longest: Int = 60) -> Bool {
        (1...longest).contains(text.utf8.count)
            && text.unicodeScalars.allSatisfy { scalar in
                switch scalar {
                case "a"..."z", "0"..."9", "-": true
                default: false
                }
            }
    }

    /// The columns of ``AudienceMember/values``, in order: those of the payload, then those of the
    /// fallback.
    package var variables: [String] {
        var seen = Set(payload.variables)
        return payload.variables
            + (fallback?.message.variables ?? []).filter { seen.insert($0).inserted }
    }
}

/// A visible push to people who have not fetched the payload: `delivery.fallback`.
package struct Fallback: Hashable, Sendable {
    /// The minimum time after a delivery was accepted.
    package let after: Duration
    package let message: MessageTemplate

    package init(after: Duration, message: MessageTemplate) {
        self.after = after
        self.message = message
    }
}

package enum CampaignKind: String, CaseIterable, Hashable, Sendable, Codable {
    /// A silent push with only the id; the device fetches the payload.
    case secure
    /// A silent push with id, type and (unless private) message; the device fetches the content.
    case rich
    /// A visible push with the message itself; nothing is fetched.
    case alert

    package var isSilent: Bool { self != .alert }
}
