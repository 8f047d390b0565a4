/// One campaign file, read and found good.
package struct Campaign: Sendable {
    /// Names the payload's file among ``fingerprints``; no key at a file's top has a dot.
    package static let payloadFileKey = "payload.file"

    /// ``isName(_:longest:)``, unique in a store.
    package let name: String
    package let description: String?
    package let kind: CampaignKind
    /// In the file's order, each once, never empty.
    package let platforms: [Platform]
    package let audience: AudienceRule
    package let payload: Payload
    /// nil: it is sent when somebody sends it.
    package let schedule: Schedule?
    /// When within a day people may be sent to; nil: at any time.
    package let turns: TurnRule?
    /// What those are sent who have not fetched the payload; nil: nothing.
    package let fallback: Fallback?
    package let delivery: DeliveryPolicy
    /// A fingerprint of each top-level key's value, to name what was changed since a run was staged; of the payload's file, by
    /// ``payloadFileKey``, one of its content.
    package let fingerprints: [String: String]

    package init(
        name: String, description: String?, kind: CampaignKind, platforms: [Platform],
        audience: AudienceRule, payload: Payload, schedule: Schedule? = nil,
        turns: TurnRule? = nil, fallback: Fallback? = nil, delivery: DeliveryPolicy,
        fingerprints: [String: String]
    ) {
        self.name = name
        self.description = description
        self.kind = kind
        self.platforms = platforms
        self.audience = audience
        self.payload = payload
        self.schedule = schedule
        self.turns = turns
        self.fallback = fallback
        self.delivery = delivery
        self.fingerprints = fingerprints
    }

    /// Whether a text can be a campaign's name: `[a-z0-9-]{1,60}`.
    ///
    /// - Parameters:
    ///   - text: the text.
    ///   - longest: the most characters; fewer for one that only begins a name.
    package static func isName(_ text: String, longest: Int = 60) -> Bool {
        (1...longest).contains(text.utf8.count)
            && text.unicodeScalars.allSatisfy { scalar in
                switch scalar {
                case "a"..."z", "0"..."9", "-": true
                default: false
                }
            }
    }

    /// The columns that the payload and the fallback draw on, in the order in which ``AudienceMember/values`` holds them: those of the
    /// payload come first.
    package var variables: [String] {
        var seen = Set(payload.variables)
        return payload.variables
            + (fallback?.message.variables ?? []).filter { seen.insert($0).inserted }
    }
}

/// One visible push to everybody who has not fetched the payload: the `delivery.fallback` key.
package struct Fallback: Hashable, Sendable {
    /// How long after a delivery was accepted, at the least.
    package let after: Duration
    /// What the device shows.
    package let message: MessageTemplate

    package init(after: Duration, message: MessageTemplate) {
        self.after = after
        self.message = message
    }
}

/// What a campaign's push is: a wake-up with an id, or a visible message.
package enum CampaignKind: String, CaseIterable, Hashable, Sendable, Codable {
    /// A silent push that holds only the id; the device fetches the payload.
    case secure
    /// A silent push with id, type and (unless private) message; the device fetches the content.
    case rich
    /// A visible push with the message itself; nothing is fetched.
    case alert

    /// Whether the push wakes the app without showing anything.
    package var isSilent: Bool { self != .alert }
}

/// A push service that campaigns can be sent through.
package enum Platform: String, CaseIterable, Hashable, Sendable, Codable, CustomStringConvertible {
    /// Apple Push Notification service.
    case apns
    /// Firebase Cloud Messaging, HTTP v1.
    case fcm
    /// Windows Push Notification Services.
    case wns
    /// Amazon Device Messaging.
    case adm
    /// Web Push (RFC 8030).
    case browser

    /// The value of `ServiceBusNotification-Format` (hub reference, section 3.4).
    package var hubFormat: String {
        switch self {
        case .apns: "apple"
        case .fcm: "fcmv1"
        case .wns: "windows"
        case .adm: "adm"
        case .browser: "browser"
        }
    }

    package var description: String { rawValue }
}
