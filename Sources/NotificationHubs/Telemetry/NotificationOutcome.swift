/// What became of a test send.
///
/// ```swift
/// let outcome = try await client.testSend(notification, to: tags)
/// if outcome.failure > 0 { print(outcome.results.map(\.outcome)) }
/// ```
public struct NotificationOutcome: Sendable, Hashable {
    /// How far the message has come: a test send has always ended.
    public let state: NotificationState

    /// How many devices' push services took it.
    public let success: Int

    /// How many devices' push services did not.
    public let failure: Int

    /// What happened, device by device; at most 10.
    public let results: [RegistrationResult]

    /// The id to give when asking Microsoft about this request.
    public let trackingID: String

    /// Reads `NotificationOutcome` (reference: section 3.10).
    ///
    /// - Parameters:
    ///   - root: the answer's root element.
    ///   - trackingID: the answer's id.
    /// - Throws: ``XMLFault/unexpected`` when it is another document.
    init(_ root: HubElement, _ trackingID: String) throws(XMLFault) {
        guard root.name == "NotificationOutcome",
            let success = root.text(of: "Success").flatMap(Int.init),
            let failure = root.text(of: "Failure").flatMap(Int.init), success >= 0, failure >= 0
        else { throw .unexpected }
        state = .detailedStateAvailable
        self.success = success
        self.failure = failure
        self.trackingID = trackingID
        results = (root.child("Results")?.children ?? [])
            .filter { $0.name == "RegistrationResult" }.map(RegistrationResult.init)
    }
}
