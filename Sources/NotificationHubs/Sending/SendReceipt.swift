/// What the hub said when it took a message, which is queued then and not delivered.
public struct SendReceipt: Sendable, Hashable {
    /// The hub's id for the message, from `Location`; nil on tiers that do not give one.
    public let messageID: String?

    /// The id to give when asking Microsoft about this request: the hub's, else the one that was
    /// sent.
    public let trackingID: String

    /// The hub's `x-ms-correlation-request-id`, where it gives one.
    public let correlationID: String?

    /// 201, or 200 from older hubs.
    public let status: Int

    /// Reads the receipt off an answer that took the message.
    ///
    /// - Parameter answer: the hub's answer.
    init(_ answer: HubAnswer) {
        messageID = answer.locationID
        trackingID = answer.supportID
        correlationID = answer.correlationID
        status = answer.status
    }
}
