import CampaignCore
import Crypto
import FoundationEssentials
import HTTPServing
import HTTPTypes
import HummingbirdCore
import NIOCore

/// Devices are registered at the hub; the store records the owner of each id.
///
/// A crash between two steps, or two simultaneous requests, must never leave a phone permanently
/// with another person's tag. The device's next request completes the missing steps:
/// - The store assigns an id to the caller before the caller learns it. An id that only the hub
///   knows has no owner and no device.
/// - Other ids with the handle are deleted at the hub before the caller's is registered. In
///   between, the phone gets nothing rather than somebody else's messages.
/// - When two people register one handle simultaneously, the store decides which request came last.
///   The other id loses its owner; this request or the next one deletes it at the hub, then in the
///   store.
/// - An id that was removed during its registration is deleted again, and the device requests a new
///   one.
extension BackendExchange {
    /// `POST /api/register?handle=H`: an id for the caller's device, as a JSON string.
    func issueRegistration() async throws -> BackendReply {
        let handle = try query["handle"].flatMap { $0.isEmpty ? nil : $0 }
            .map { try RegistrationDocument.handle($0) }
        let digest = handle.map(HandleDigest.init(of:))
        if let digest, let id = try await knownID(of: digest) { return Self.issued(id) }
        try await makeRoom()
        let id = try await environment.registrar.createID()
        try await environment.store.issue(
            id, to: caller.username, handle: digest, at: environment.now())
        return Self.issued(id)
    }

    /// `PUT /api/register/{id}`: registers a device at the hub under one of the caller's ids.
    func register(_ id: String) async throws -> BackendReply {
        let document = try RegistrationDocument(Data(body.readableBytesView))
        let tags = try RequestedTags(
            document.tags, of: caller.username, allowed: environment.allowedTags
        ).tags
        guard try await isCallers(id) else { throw BackendFailure.registrationGone }
        for other in try await environment.registrar.ids(ofHandle: document.handle)
        where other != id {
            try await remove(other)
        }
        do {
            try await environment.registrar.register(
                id, platform: document.platform, handle: document.handle, tags: tags)
        } catch .gone {
            try await environment.store.forget(id)
            throw BackendFailure.registrationGone
        }
        let others = try await environment.store.use(
            id, of: caller.username, platform: document.platform,
            handle: HandleDigest(of: document.handle), at: environment.now())
        for other in others { try await remove(other) }
        guard try await isCallers(id) else {
            try await environment.registrar.delete(id)
            throw BackendFailure.registrationGone
        }
        return BackendReply(Response(empty: .ok))
    }

    /// `DELETE /api/register/{id}`; for another user's id it does nothing and gives the same
    /// response.
    func unregister(_ id: String) async throws -> BackendReply {
        if try await isCallers(id) { try await remove(id) }
        return BackendReply(Response(empty: .ok))
    }

    /// Returns the caller's latest id for a handle, and removes any other ids for it.
    private func knownID(of digest: HandleDigest) async throws -> String? {
        let known = try await environment.store.registrations(
            of: caller.username, handle: digest, limit: environment.limits.registrationsPerUser)
        for other in known.dropFirst() { try await remove(other.id) }
        return known.first?.id
    }

    /// Removes the least recently used ids until there is room for another.
    private func makeRoom() async throws {
        let limit = environment.limits.registrationsPerUser
        let held = try await environment.store.registrations(
            of: caller.username, handle: nil, limit: limit + 1)
        for old in held.dropFirst(limit - 1) { try await remove(old.id) }
    }

    private func isCallers(_ id: String) async throws -> Bool {
        try await environment.store.registration(id)?.user == caller.username
    }

    /// Deletes ids at the hub first, because an id that the store no longer knows would remain at
    /// the hub forever.
    private func remove(_ id: String) async throws {
        try await environment.registrar.delete(id)
        try await environment.store.forget(id)
    }

    private static func issued(_ id: String) -> BackendReply {
        var json: [UInt8] = []
        JSONText.append(id, to: &json)
        return BackendReply(Response(json: json), about: id)
    }
}

extension HandleDigest {
    /// The digest of a normalized handle.
    ///
    /// A purely hexadecimal handle is an APNs token, and the hub ignores its case. A browser's
    /// handle is its subscription, which is identified by its endpoint, whatever the JSON looks
    /// like.
    init(of handle: String) {
        let handle = BrowserSubscription(handle: handle)?.endpoint ?? handle
        let isToken = handle.utf8.allSatisfy { Character(Unicode.Scalar($0)).isHexDigit }
        let text = isToken ? handle.uppercased() : handle
        self.init(bytes: Array(SHA256.hash(data: Array(text.utf8))))
    }
}
