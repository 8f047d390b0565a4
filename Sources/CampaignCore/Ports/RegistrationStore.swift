#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// Keeps which user owns which registration id at the hub.
///
/// A handle is known only by its digest.
package protocol RegistrationStore: Sendable {
    /// Records that an id was issued to a user, before they learn it; throws if it is another
    /// user's.
    func issue(_ id: String, to user: Username, handle: HandleDigest?, at time: Date) async throws
    func registration(_ id: String) async throws -> DeviceRegistration?
    /// Most recently used first; nil `handle`: all.
    func registrations(of user: Username, handle: HandleDigest?, limit: Int) async throws
        -> [DeviceRegistration]
    /// Records what the hub now has under a user's id.
    ///
    /// Returns other ids with this handle on this platform: a phone changed hands, so they belong
    /// to nobody. They are returned again until forgotten, because the hub has to delete them
    /// first. If the id is not this user's, writes nothing and returns none.
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
    /// Last issued or used.
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

/// SHA-256 of a device's handle: enough to recognise it, not enough to send to it.
package struct HandleDigest: Hashable, Sendable {
    /// 32 bytes.
    package var bytes: [UInt8]

    package init(bytes: [UInt8]) {
        self.bytes = bytes
    }
}
