import NIOHTTP1

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension NotificationHubClient {
    /// The farthest that a message may be scheduled ahead: 7 days, in seconds (reference: section
    /// 3.11).
    public static let scheduleLimit: TimeInterval = 7 * 86_400

    /// Leaves a message with the hub, which sends it at its time.
    ///
    /// ```swift
    /// let receipt = try await client.schedule(
    ///     notification, to: tags, at: .now.addingTimeInterval(3_600))
    /// if let id = receipt.messageID { try await client.cancelScheduled(id: id) }
    /// ```
    ///
    /// - Parameters:
    ///   - notification: the message, native or for templates.
    ///   - tags: who it is for.
    ///   - time: when it is sent, to the second; at most 7 days ahead.
    /// - Returns: what the hub said; its message id is the one to cancel it by.
    /// - Throws: ``HubError``; without a request when the time is too far ahead. Hubs below the
    ///   Standard tier answer 403.
    @discardableResult
    public func schedule(
        _ notification: some HubNotification, to tags: TagExpression, at time: Date
    ) async throws(HubError) -> SendReceipt {
        try await schedule(notification, headers: [tags.header], at: time)
    }

    /// Leaves a message for every device with the hub, which sends it at its time.
    ///
    /// - Parameters:
    ///   - notification: the message, native or for templates.
    ///   - time: when it is sent, to the second; at most 7 days ahead.
    /// - Returns: what the hub said; its message id is the one to cancel it by.
    /// - Throws: ``HubError``; without a request when the time is too far ahead.
    @discardableResult
    public func scheduleBroadcast(
        _ notification: some HubNotification, at time: Date
    ) async throws(HubError) -> SendReceipt {
        try await schedule(notification, headers: [], at: time)
    }

    /// Takes back a message that was scheduled.
    ///
    /// - Parameter id: the message id of its receipt.
    /// - Returns: whether it was still there; one that was sent or cancelled before is not.
    /// - Throws: ``HubError``.
    @discardableResult
    public func cancelScheduled(id: String) async throws(HubError) -> Cancellation {
        do {
            _ = try await answer(
                to: HubCall(
                    operation: "cancelling of a scheduled message", method: .DELETE,
                    path: ["schedulednotifications", id], accepts: 200...204, isRepeatable: true,
                    answersOnce: true, bodyLimit: 0))
            return .cancelled
        } catch  where error.isNotFound {
            return .alreadyGone
        }
    }

    private func schedule(
        _ notification: some HubNotification, headers: [(name: String, value: String)],
        at time: Date
    ) async throws(HubError) -> SendReceipt {
        // To the second and UTC, without a zone (reference: section 3.11).
        let text = String(time.formatted(.iso8601).prefix(19))
        let call = HubCall(
            sending: "scheduling of a message", notification, path: ["schedulednotifications"],
            headers: headers + [(name: "ServiceBusNotification-ScheduleTime", value: text)])
        guard time.timeIntervalSince(now()) <= Self.scheduleLimit else {
            throw HubError(notBegun: call.operation, .scheduledTooFarAhead)
        }
        return SendReceipt(try await answer(to: call))
    }
}

/// What became of taking a scheduled message back.
public enum Cancellation: Sendable, Hashable {
    /// It will not be sent.
    case cancelled
    /// The hub has no such message: it was sent, or cancelled before.
    case alreadyGone
}
