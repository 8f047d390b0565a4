extension NotificationHubClient {
    /// Sends a message to up to 10 devices and waits for what became of it.
    ///
    /// ```swift
    /// let outcome = try await client.testSend(notification, to: TagExpression(Tag("tester")))
    /// for result in outcome.results { print(result.registrationID, result.outcome) }
    /// ```
    ///
    /// It is for finding out why a device stays silent: a hub takes 10 of them a minute.
    ///
    /// - Parameters:
    ///   - notification: the message, native or for templates.
    ///   - tags: who it is for.
    /// - Returns: what the push services said of each device.
    /// - Throws: ``HubError``, whose disposition says whether to send it again.
    public func testSend(
        _ notification: some HubNotification, to tags: TagExpression
    ) async throws(HubError) -> NotificationOutcome {
        let call = HubCall(
            sending: "test send", notification, flag: "test", headers: [tags.header],
            bodyLimit: 262_144)
        let answer = try await answer(to: call)
        let element = try HubElement(answer, of: call)
        do throws(XMLFault) {
            return try NotificationOutcome(element, answer.supportID)
        } catch {
            throw HubError(call, answer: answer, reason: error.description)
        }
    }
}
