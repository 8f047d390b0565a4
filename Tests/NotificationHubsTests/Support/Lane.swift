@testable import NotificationHubs

/// The ways in which pages go out, all of which have to mean the same.
enum Lane: CaseIterable, Sendable {
    case direct, general

    /// A sender that takes it.
    func sender(_ client: NotificationHubClient) -> HubPushSender {
        switch self {
        case .direct: HubPushSender(client: client, over: client.directLane)
        case .general: HubPushSender(client: client, over: GeneralLane(client: client))
        }
    }
}
