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
