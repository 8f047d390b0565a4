import CampaignCore
import Crypto
import FoundationEssentials
import HTTPServing
import HTTPTypes
import HummingbirdCore
import NIOCore

/// Registrations are made at the hub; the store keeps whose an id is.
///
/// A crash between two steps, or two requests at once, must never leave a phone with another
/// person's tag for good. So whatever a step leaves undone, the device's next request does:
/// - An id is the caller's in the store before the caller learns of it. An id that only the hub knows
///   belongs to nobody and has no device.
/// - Other ids with the handle are deleted at the hub before the caller's is registered. In between
///   the phone gets nothing, rather than what is meant for somebody else.
/// - When two people register one handle at once, the store decides who was last. The other's id
///   belongs to nobody; it is deleted at the hub and then forgotten, by the next request if not by
///   this one.
/// - An id that was taken away while it was being registered is deleted again, and the device asks
///   for a new one.
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

    /// `PUT /api/register/{id}`: what the hub has under one of the caller's ids.
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

    /// `DELETE /api/register/{id}`; an id that is not the caller's is left alone, and the answer is
    /// the same.
    func unregister(_ id: String) async throws -> BackendReply {
        if try await isCallers(id) { try await remove(id) }
        return BackendReply(Response(empty: .ok))
    }

    /// The caller's id that had a handle last; any others are removed.
    private func knownID(of digest: HandleDigest) async throws -> String? {
        let known = try await environment.store.registrations(
            of: caller.username, handle: digest, limit: environment.limits.registrationsPerUser)
        for other in known.dropFirst() { try await remove(other.id) }
        return known.first?.id
    }

    /// Removes the ids that were used longest ago until one more is within the bound.
    private func makeRoom() async throws {
        let limit = environment.limits.registrationsPerUser
        let held = try await environment.store.registrations(
            of: caller.username, handle: nil, limit: limit + 1)
        for old in held.dropFirst(limit - 1) { try await remove(old.id) }
    }

    private func isCallers(_ id: String) async throws -> Bool {
        try await environment.store.registration(id)?.user == caller.username
    }

    /// Deletes at the hub first: an id that the store has forgotten would never be deleted there.
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
    /// The digest of a handle, as the device wrote it.
    ///
    /// A handle of hexadecimal digits only is an APNs token, whose case the hub ignores. A browser's is its subscription, in
    /// which the endpoint says which browser it is, however the JSON is written.
    init(of handle: String) {
        let handle = BrowserSubscription(handle: handle)?.endpoint ?? handle
        let isToken = handle.utf8.allSatisfy { Character(Unicode.Scalar($0)).isHexDigit }
        let text = isToken ? handle.uppercased() : handle
        self.init(bytes: Array(SHA256.hash(data: Array(text.utf8))))
    }
}
