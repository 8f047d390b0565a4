import NotificationHubs

extension HubConnection {
    /// Asks on a terminal before pushes leave this machine; elsewhere, and for a hub on this machine, it does not ask.
    ///
    /// - Parameters:
    ///   - lines: what would be sent, a line each.
    ///   - invocation: where standard streams lead.
    /// - Throws: ``CommandEnd`` when the answer is no, `CancellationError` when the task is cancelled.
    func askForConsent(to lines: [String], invocation: Invocation) async throws {
        guard !isLoopback, !lines.isEmpty else { return }
        let hub = "Hub \(name.rawValue) at \(connectionString.endpoint.host), named by \(setting):"
        try await Question.ask(
            "Send?", after: [hub] + lines.map { "  " + $0 }, otherwise: "Nothing was sent.",
            invocation)
    }
}
