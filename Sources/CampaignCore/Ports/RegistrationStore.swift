#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// Stores which user owns which registration ID at the hub.
///
/// Only checksums of handles are stored.
package protocol RegistrationStore: Sendable {
    /// Records that an ID was issued to a user, before the user gets it; throws if the ID belongs
    /// to another user.
    func issue(_ id: String, to user: Username, handle: HandleDigest?, at time: Date) async throws
    func registration(_ id: String) async throws -> DeviceRegistration?
    /// Returns registrations, most recently used first; a nil `handle` means all of them.
    func registrations(of user: Username, handle: HandleDigest?, limit: Int) async throws
        -> [DeviceRegistration]
    /// Records the registration that the hub now has under a user's ID.
    ///
    /// Returns other IDs with this handle on this platform, which are obsolete because the phone
    /// changed hands. They are returned in each call until they are forgotten, because the hub has
    /// to delete them first. If the ID does not belong to this user, nothing is written or
    /// returned.
    func use(
        _ id: String, of user: Username, platform: Platform, handle: HandleDigest, at time: Date
    ) async throws -> [String]
    func forget(_ id: String) async throws
}

package struct DeviceRegistration: Hashable, Sendable {
    package var id: String
    package var user: Username
    /// nil until the hub has a device for it.
    package var platform: Platform?
    package var handle: HandleDigest?
    /// When the ID was last issued or used.
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

/// The SHA-256 of a device's handle: enough to recognise the device, but not to send to it.
package struct HandleDigest: Hashable, Sendable {
    /// The digest, 32 bytes.
    package var bytes: [UInt8]

    package init(bytes: [UInt8]) {
        self.bytes = bytes
    }
}
