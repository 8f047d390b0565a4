package import CampaignCore

/// Finds out from a client's hub which people have a device; requires the Manage right.
package struct HubDeviceDirectory: DeviceDirectory {
    private static let pageSize = 100
    /// The maximum number of registrations that are read for one person.
    private static let most = 1_000

    private let client: NotificationHubClient

    /// The owner of the client shuts it down.
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
                    error, rights: "The rule needs the Manage right to list registrations by tag."
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
    /// The platform on which a push by tags reaches the registration; nil for templates, tiles and
    /// services that campaigns do not support.
    fileprivate var nativePlatform: Platform? {
        guard template == nil else { return nil }
        if case .windows(_, let tile?) = channel, !tile.isEmpty { return nil }
        return Platform.allCases.first { $0.facts.hubFormat == channel.service }
    }
}
