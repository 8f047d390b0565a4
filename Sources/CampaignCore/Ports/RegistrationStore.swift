#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// Keeps which registration id at the hub is whose.
///
/// Storage implements it. A handle is known by its digest only. Every call throws when the store cannot be read or written.
package protocol RegistrationStore: Sendable {
    /// Writes down that an id was handed out to a user, before they learn of it.
    ///
    /// - Parameters:
    ///   - id: the hub's id; one that is another user's stays theirs, and the call throws.
    ///   - handle: what they asked for it with; nil: nothing.
    ///   - time: the current time.
    /// - Throws: when the id is another user's, or the store cannot be written.
    func issue(_ id: String, to user: Username, handle: HandleDigest?, at time: Date) async throws
    /// A registration; nil when its id was never handed out, or belongs to nobody any more.
    func registration(_ id: String) async throws -> DeviceRegistration?
    /// A user's registrations, the one used last first.
    ///
    /// - Parameters:
    ///   - handle: only those with this handle; nil: all.
    func registrations(of user: Username, handle: HandleDigest?, limit: Int) async throws
        -> [DeviceRegistration]
    /// Writes down what the hub now has under an id of this user's.
    ///
    /// - Returns: the other ids with this handle on this platform, which are nobody's from now on: a phone changed hands. They
    ///   are kept, and returned again, until they are forgotten, since the hub has to delete them first. Empty as well when the
    ///   id is not this user's, and then nothing is written.
    func use(
        _ id: String, of user: Username, platform: Platform, handle: HandleDigest, at time: Date
    ) async throws -> [String]
    /// Forgets an id.
    func forget(_ id: String) async throws
}

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

/// SHA-256 of a device's handle: enough to know it again, not enough to send to it.
package struct HandleDigest: Hashable, Sendable {
    /// 32 bytes.
    package var bytes: [UInt8]

    package init(bytes: [UInt8]) {
        self.bytes = bytes
    }
}
