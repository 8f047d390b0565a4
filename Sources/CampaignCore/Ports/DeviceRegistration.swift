package import FoundationEssentials

/// A registration id and whose it is.
package struct DeviceRegistration: Hashable, Sendable {
    /// The hub's id.
    package var id: String
    package var user: Username
    /// nil until the hub has a device under it.
    package var platform: Platform?
    /// nil until one was named.
    package var handle: HandleDigest?
    /// When it was issued or used last.
    package var updated: Date

    package init(
        id: String, user: Username, platform: Platform?, handle: HandleDigest?, updated: Date
    ) {
        self.id = id
        self.user = user
        self.platform = platform
        self.handle = handle
        self.updated = updated
    }
}
