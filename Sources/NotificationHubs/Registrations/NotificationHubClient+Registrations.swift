import CampaignCore
import NIOCore
import NIOHTTP1

extension NotificationHubClient {
    /// Requests a registration id for ``put(_:id:)``.
    public func createRegistrationID() async throws(HubError) -> String {
        let call = HubCall(
            operation: "creation of a registration id", method: .POST, path: ["registrationids"],
            accepts: 200...201, isRepeatable: true)
        let answer = try await answer(to: call)
        guard let id = answer.locationID else {
            throw HubError(call, answer: answer, reason: "the response has no registration id")
        }
        return id
    }

    /// Registers a device under an id that the hub chooses.
    ///
    /// If the app may be killed before it has stored the id, use ``createRegistrationID()`` and
    /// ``put(_:id:)`` instead, so that a lost response does not lead to a second registration.
    @discardableResult
    public func create(_ registration: Registration) async throws(HubError) -> Registration {
        try await write(
            registration,
            HubCall(
                operation: "creation of a registration", method: .POST, path: ["registrations"],
                accepts: 200...201, isRepeatable: false))
    }

    /// Registers a device under an id from ``createRegistrationID()``, or replaces the registration
    /// with that id.
    ///
    /// The hub returns 410 if the id can no longer be used; in that case, request a new id.
    @discardableResult
    public func put(
        _ registration: Registration, id: String
    ) async throws(HubError) -> Registration {
        try await write(registration, try Self.put(id))
    }

    /// Changes a registration that was read from the hub; fails with status 412 if it has changed
    /// since.
    @discardableResult
    public func update(_ registration: Registration) async throws(HubError) -> Registration {
        guard let id = registration.id, let etag = registration.etag else {
            throw HubError(notBegun: Self.writing, .invalidRegistration(.notKept))
        }
        var call = try Self.put(id)
        call.headers.append((name: "If-Match", value: "\"\(etag)\""))
        // The hub would refuse a second request because of the first one.
        call.isRepeatable = false
        return try await write(registration, call)
    }

    /// Reads a registration; nil if it does not exist.
    public func registration(id: String) async throws(HubError) -> Registration? {
        let call = HubCall(
            operation: "reading of a registration", method: .GET, path: ["registrations", id],
            accepts: 200...200, isRepeatable: true, bodyLimit: Self.entryLimit)
        try call.checkID(id)
        do throws(HubError) {
            return try Self.registration(in: try await answer(to: call), of: call)
        } catch {
            guard error.isNotFound else { throw error }
            return nil
        }
    }

    /// Deletes a registration, or only a given version of it.
    @discardableResult
    public func deleteRegistration(
        id: String, etag: String? = nil
    ) async throws(HubError) -> Bool {
        let call = HubCall(
            operation: "deletion of a registration", method: .DELETE, path: ["registrations", id],
            headers: [(name: "If-Match", value: etag.map { "\"\($0)\"" } ?? "*")],
            accepts: 200...204, isRepeatable: etag == nil, answersOnce: true)
        try call.checkID(id)
        do throws(HubError) {
            _ = try await answer(to: call)
            return true
        } catch {
            guard error.isNotFound else { throw error }
            return false
        }
    }

    /// Lists all registrations, 1 to 100 per page, or continues an earlier listing; requires the
    /// Manage right.
    public func registrations(
        pageSize: Int? = nil, from token: ListingToken? = nil
    ) -> RegistrationListing {
        listing(["registrations"], pageSize: pageSize, from: token)
    }

    /// Lists the registrations with a tag, 1 to 100 per page; requires the Manage right.
    public func registrations(
        tag: Tag, pageSize: Int? = nil, from token: ListingToken? = nil
    ) -> RegistrationListing {
        listing(["tags", tag.rawValue, "registrations"], pageSize: pageSize, from: token)
    }

    /// Lists the registrations with a handle on any platform, 1 to 100 per page.
    public func registrations(
        handle: String, pageSize: Int? = nil, from token: ListingToken? = nil
    ) -> RegistrationListing {
        // Recorded: `ChannelUri` matches the handles of all platforms.
        let filter = "ChannelUri eq '\(handle.replacingBytes("'", with: "''"))'"
        return listing(
            ["registrations"], pageSize: pageSize, from: token,
            filter: [(name: "$filter", value: filter)])
    }

    private static let entryLimit = 256 * 1_024

    private static let writing = "writing of a registration"

    private static func put(_ id: String) throws(HubError) -> HubCall {
        let call = HubCall(
            operation: writing, method: .PUT, path: ["registrations", id],
            accepts: 200...201, isRepeatable: true)
        try call.checkID(id)
        return call
    }

    private func write(
        _ registration: Registration, _ call: HubCall
    ) async throws(HubError) -> Registration {
        var call = call
        do throws(RegistrationError) {
            call.body = ByteBuffer(string: try RegistrationEntry(registration).xml)
        } catch {
            throw HubError(notBegun: call.operation, .invalidRegistration(error))
        }
        call.headers.append(
            (name: "Content-Type", value: "application/atom+xml;type=entry;charset=utf-8"))
        call.bodyLimit = Self.entryLimit
        return try Self.registration(in: try await answer(to: call), of: call)
    }

    private static func registration(
        in answer: HubAnswer, of call: HubCall
    ) throws(HubError) -> Registration {
        guard let registration = Registration(try HubElement(answer, of: call)) else {
            throw HubError(call, answer: answer, reason: "the response is not a registration")
        }
        return registration
    }

    private func listing(
        _ path: [String], pageSize: Int?, from token: ListingToken?,
        filter: [(name: String, value: String?)] = []
    ) -> RegistrationListing {
        let top = pageSize.map { [(name: "$top", value: String(min(max($0, 1), 100)) as String?)] }
        return RegistrationListing(
            client: self, path: path, query: filter + (top ?? []), start: token)
    }
}
