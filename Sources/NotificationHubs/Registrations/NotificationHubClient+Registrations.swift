import CampaignCore
import NIOCore
import NIOHTTP1

extension NotificationHubClient {
    /// Asks the hub for a registration id to use with ``put(_:id:)``.
    ///
    /// ```swift
    /// let id = try await client.createRegistrationID()
    /// ```
    ///
    /// - Returns: the id.
    /// - Throws: ``HubError``.
    public func createRegistrationID() async throws(HubError) -> String {
        let call = HubCall(
            operation: "creation of a registration id", method: .POST, path: ["registrationids"],
            accepts: 200...201, isRepeatable: true)
        let answer = try await answer(to: call)
        guard let id = answer.locationID else {
            throw HubError(call, answer: answer, reason: "the answer names no registration id")
        }
        return id
    }

    /// Registers a device under an id that the hub picks.
    ///
    /// An app that may be killed in between asks for an id first, keeps it, and uses
    /// ``put(_:id:)``: then a lost answer leaves no second registration behind.
    ///
    /// ```swift
    /// let kept = try await client.create(
    ///     Registration(channel: .fcmV1(registrationID: token), tags: ["news"]))
    /// ```
    ///
    /// - Parameter registration: the device.
    /// - Returns: the registration as the hub keeps it, with id and version.
    /// - Throws: ``HubError``; without a request when the registration or its id is one that no hub takes.
    @discardableResult
    public func create(_ registration: Registration) async throws(HubError) -> Registration {
        try await write(
            registration,
            HubCall(
                operation: "creation of a registration", method: .POST, path: ["registrations"],
                accepts: 200...201, isRepeatable: false))
    }

    /// Registers a device under an id, or replaces the registration of that id.
    ///
    /// A hub answers 410 for an id that can no longer be used; ask for another then.
    ///
    /// ```swift
    /// let kept = try await client.put(
    ///     Registration(channel: .apple(deviceToken: token), tags: ["news"]), id: id)
    /// ```
    ///
    /// - Parameters:
    ///   - registration: the device.
    ///   - id: an id from ``createRegistrationID()``.
    /// - Returns: the registration as the hub keeps it.
    /// - Throws: ``HubError``; without a request when the registration or its id is one that no hub takes.
    @discardableResult
    public func put(
        _ registration: Registration, id: String
    ) async throws(HubError) -> Registration {
        try await write(registration, try Self.put(id))
    }

    /// Changes a registration, unless somebody else has changed it since it was read.
    ///
    /// ```swift
    /// if var registration = try await client.registration(id: id) {
    ///     registration.tags.append("sport")
    ///     registration = try await client.update(registration)
    /// }
    /// ```
    ///
    /// - Parameter registration: a registration that was read from the hub, with its changes.
    /// - Returns: the registration as the hub keeps it.
    /// - Throws: ``HubError``, with status 412 when it has changed meanwhile; without a request when the
    ///   registration is one that no hub takes, or was not read from a hub.
    @discardableResult
    public func update(_ registration: Registration) async throws(HubError) -> Registration {
        guard let id = registration.id, let etag = registration.etag else {
            throw HubError(notBegun: Self.writing, .invalidRegistration(.notKept))
        }
        var call = try Self.put(id)
        call.headers.append((name: "If-Match", value: "\"\(etag)\""))
        // The second time it is refused, because of the first.
        call.isRepeatable = false
        return try await write(registration, call)
    }

    /// Reads a registration.
    ///
    /// ```swift
    /// let registration = try await client.registration(id: id)
    /// ```
    ///
    /// - Parameter id: its id.
    /// - Returns: the registration; nil when there is none of that id.
    /// - Throws: ``HubError``; without a request when the registration or its id is one that no hub takes.
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

    /// Deletes a registration.
    ///
    /// ```swift
    /// try await client.deleteRegistration(id: id)
    /// ```
    ///
    /// - Parameters:
    ///   - id: its id.
    ///   - etag: the version to delete; nil for whichever there is.
    /// - Returns: whether there was one.
    /// - Throws: ``HubError``; without a request when the registration or its id is one that no hub takes.
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

    /// Lists all registrations; needs the right to manage.
    ///
    /// ```swift
    /// for try await registration in client.registrations() { print(registration.tags) }
    /// ```
    ///
    /// - Parameters:
    ///   - pageSize: how many registrations to ask for at a time, taken into 1 to 100; nil for the
    ///     hub's choice.
    ///   - token: where an earlier listing stopped, from ``RegistrationPage/next``; nil for the start.
    /// - Returns: the listing.
    public func registrations(
        pageSize: Int? = nil, from token: ListingToken? = nil
    ) -> RegistrationListing {
        listing(["registrations"], pageSize: pageSize, from: token)
    }

    /// Lists the registrations that carry a tag; needs the right to manage.
    ///
    /// ```swift
    /// let all = client.registrations(tag: try Tag("username:alice"))
    /// ```
    ///
    /// - Parameters:
    ///   - tag: the tag.
    ///   - pageSize: how many registrations to ask for at a time; taken into 1 to 100.
    ///   - token: where an earlier listing of the same stopped; nil for the start.
    /// - Returns: the listing.
    public func registrations(
        tag: Tag, pageSize: Int? = nil, from token: ListingToken? = nil
    ) -> RegistrationListing {
        listing(["tags", tag.rawValue, "registrations"], pageSize: pageSize, from: token)
    }

    /// Lists the registrations of a device.
    ///
    /// ```swift
    /// for try await registration in client.registrations(handle: token) {
    ///     print(registration.id ?? "")
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - handle: what its push service knows it by; every platform's.
    ///   - pageSize: how many registrations to ask for at a time; taken into 1 to 100.
    ///   - token: where an earlier listing of the same stopped; nil for the start.
    /// - Returns: the listing.
    public func registrations(
        handle: String, pageSize: Int? = nil, from token: ListingToken? = nil
    ) -> RegistrationListing {
        // Recorded: ChannelUri finds the handles of all platforms.
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
            throw HubError(call, answer: answer, reason: "the answer is no registration")
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
