import CampaignCore

/// One way in which pages go out to a hub; all of them mean the same.
protocol PushLane: Sendable {
    /// Sends every push of a page and hands over what became of each, as ``PushSender`` asks for.
    func send(
        _ page: PushPage, handing results: @Sendable ([PushResult]) async -> Void
    ) async
}
