import NotificationHubs

extension HubConnection {
    /// Asks on a terminal before pushes leave this machine; elsewhere, and for a hub on this machine, it does not ask.
    ///
    /// - Parameters:
    ///   - lines: what would be sent, a line each.
    ///   - invocation: where standard streams lead.
    /// - Throws: ``CommandFailure`` when the answer is no, `CancellationError` when the task is cancelled.
    func askForConsent(to lines: [String], invocation: Invocation) async throws {
        guard !isLoopback, !lines.isEmpty, invocation.isInputTerminal, invocation.isErrorTerminal
        else { return }
        Console.complain(
            "Hub \(name.rawValue) at \(connectionString.endpoint.host), named by \(setting):")
        for line in lines { Console.complain("  " + line) }
        guard try await Question.confirms("Send?") else {
            throw CommandFailure(.configuration, "Nothing was sent.")
        }
    }
}
