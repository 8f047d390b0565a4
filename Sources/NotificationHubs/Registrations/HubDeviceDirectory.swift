package import CampaignCore

/// Asks the hub of one client who has a device; needs the right to manage (reference: section 2).
package struct HubDeviceDirectory: DeviceDirectory {
    /// How many registrations of a person are asked for at once: people have few.
    private static let pageSize = 100
    /// More registrations of one person are not looked at: nobody has so many devices.
    private static let most = 1_000

    private let client: NotificationHubClient

    /// Asks a hub.
    ///
    /// - Parameter client: the client, with its policy for retries; its owner shuts it down.
    package init(client: NotificationHubClient) {
        self.client = client
    }

    package func platforms(
        of user: Username, among platforms: Set<Platform>
    ) async throws(HubInquiryFailure) -> Set<Platform> {
        let tag: Tag
        do throws(TagError) {
            tag = try Tag(user.tag)
        } catch {
            throw .refused(error.description)
        }
        do throws(HubError) {
            return try await listed(tag, among: platforms)
        } catch {
            throw Task.isCancelled
                ? .cancelled
                : HubInquiryFailure(
                    error, rights: "To list registrations by tag, a rule needs the right to manage."
                )
        }
    }

    private func listed(
        _ tag: Tag, among platforms: Set<Platform>
    ) async throws(HubError) -> Set<Platform> {
        var found: Set<Platform> = []
        var seen = 0
        for try await registration in client.registrations(tag: tag, pageSize: Self.pageSize) {
            seen += 1
            if let platform = registration.nativePlatform, platforms.contains(platform) {
                found.insert(platform)
            }
            if found.count == platforms.count || seen == Self.most { break }
        }
        return found
    }
}

extension Registration {
    /// The platform on which a push to its tags reaches it; nil for a template, a tile, and a push service that campaigns do not have.
    fileprivate var nativePlatform: Platform? {
        guard template == nil else { return nil }
        if case .windows(_, let tile?) = channel, !tile.isEmpty { return nil }
        return Platform.allCases.first { $0.hubFormat == channel.service }
    }
}
