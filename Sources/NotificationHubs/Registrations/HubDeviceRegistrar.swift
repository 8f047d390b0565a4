package import CampaignCore

/// Registers devices with a client's hub; the owner of the client shuts it down.
package struct HubDeviceRegistrar: DeviceRegistrar {
    private static let mostIDs = 100

    private let client: NotificationHubClient

    package init(client: NotificationHubClient) {
        self.client = client
    }

    package func createID() async throws(RegistrarFailure) -> String {
        try await translating { () async throws(HubError) in
            try await client.createRegistrationID()
        }
    }

    package func register(
        _ id: String, platform: Platform, handle: String, tags: [String]
    ) async throws(RegistrarFailure) {
        let channel = try Self.channel(of: platform, handle)
        try await translating { () async throws(HubError) in
            _ = try await client.put(Registration(channel: channel, tags: tags), id: id)
        }
    }

    /// The channel for a handle; the handle of a browser is its subscription.
    private static func channel(
        of platform: Platform, _ handle: String
    ) throws(RegistrarFailure) -> DeviceChannel {
        guard platform.facts.handle == .subscription else {
            let format = NotificationFormat(rawValue: platform.facts.hubFormat)
            return format.map { DeviceChannel($0, [handle]) }
                ?? .unknown(name: platform.facts.hubFormat)
        }
        guard let browser = BrowserSubscription(handle: handle) else {
            throw .refused("The handle is not a browser's push subscription.")
        }
        return .browser(endpoint: browser.endpoint, p256dh: browser.p256dh, auth: browser.auth)
    }

    package func delete(_ id: String) async throws(RegistrarFailure) {
        try await translating { () async throws(HubError) in
            _ = try await client.deleteRegistration(id: id)
        }
    }

    package func ids(ofHandle handle: String) async throws(RegistrarFailure) -> [String] {
        // The hub identifies a browser by its endpoint.
        let handle = BrowserSubscription(handle: handle)?.endpoint ?? handle
        return try await translating { () async throws(HubError) in
            var ids: [String] = []
            for try await registration in client.registrations(
                handle: handle, pageSize: Self.mostIDs)
            {
                if let id = registration.id { ids.append(id) }
                if ids.count == Self.mostIDs { break }
            }
            return ids
        }
    }

    /// The ids of all registrations that a push to a user reaches, up to 1,000; requires the Manage
    /// right.
    package func ids(of user: Username) async throws(RegistrarFailure) -> [String] {
        let tag: Tag
        do throws(TagError) {
            tag = try Tag(user.tag)
        } catch {
            throw .refused(error.description)
        }
        return try await translating { () async throws(HubError) in
            var ids: [String] = []
            for try await registration in client.registrations(tag: tag, pageSize: Self.mostIDs) {
                if let id = registration.id { ids.append(id) }
                if ids.count == 10 * Self.mostIDs { break }
            }
            return ids
        }
    }

    private func translating<Value: Sendable>(
        _ work: () async throws(HubError) -> Value
    ) async throws(RegistrarFailure) -> Value {
        do throws(HubError) {
            return try await work()
        } catch {
            throw RegistrarFailure(error)
        }
    }
}

extension RegistrarFailure {
    init(_ error: HubError) {
        if case .invalidRegistration(let problem) = error.cause {
            self = .refused(problem.description)
            return
        }
        switch error.disposition {
        case .rejected where error.status == 410: self = .gone
        case .rejected, .accepted: self = .refused(error.description)
        case .retry(let delay) where delay != nil || [429, 503].contains(error.status):
            self = .busy(after: delay)
        case .retry, .unknown: self = .unavailable(error.description)
        case .stop: self = .misconfigured(error.description)
        }
    }
}
