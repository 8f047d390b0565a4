import struct Foundation.Date

/// A write or deletion of an installation that the hub has taken in and not done yet.
struct PendingInstallation: Sendable {
    /// When it takes effect.
    let due: Date
    /// The installation's id.
    let id: String
    /// What the installation is to be; nil: gone.
    let installation: Installation?
}
