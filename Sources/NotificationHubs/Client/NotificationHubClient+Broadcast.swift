extension NotificationHubClient {
    /// Sends a message to every device of the hub that can take it.
    ///
    /// ```swift
    /// try await client.broadcast(TemplateNotification(properties: ["title": "We are back"]))
    /// ```
    ///
    /// A native message reaches every device of its push service, one for templates every device
    /// that registered one.
    ///
    /// - Parameter notification: the message, native or for templates.
    /// - Returns: what the hub said: the message is queued, not delivered.
    /// - Throws: ``HubError``, whose disposition says whether to send it again.
    @discardableResult
    public func broadcast(
        _ notification: some HubNotification
    ) async throws(HubError) -> SendReceipt {
        SendReceipt(
            try await answer(to: HubCall(sending: "broadcast", notification, headers: [])))
    }
}
