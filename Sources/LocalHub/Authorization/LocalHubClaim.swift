/// A right that a shared access rule grants (reference, section 2).
package enum LocalHubClaim: String, Sendable, CaseIterable, Codable {
    /// Create, update, read and delete single registrations and installations.
    case listen = "Listen"
    /// Send notifications.
    case send = "Send"
    /// Everything.
    case manage = "Manage"
}
