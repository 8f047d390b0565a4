import NIOHTTP1

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension NotificationHubClient {
    /// How far in advance a message can be scheduled, in seconds: 7 days.
    public static let scheduleLimit: TimeInterval = 7 * 86_400

    /// Schedules a message, to the second; keep the message id in the receipt if you want to cancel
    /// it.
    ///
    /// Hubs below the Standard tier return 403.
    @discardableResult
    public func schedule(
        _ notification: some HubNotification, to tags: TagExpression, at time: Date
    ) async throws(HubError) -> SendReceipt {
        try await schedule(notification, headers: [tags.header], at: time)
    }

    /// Schedules a message for every device; keep the message id in the receipt if you want to
    /// cancel it.
    @discardableResult
    public func scheduleBroadcast(
        _ notification: some HubNotification, at time: Date
    ) async throws(HubError) -> SendReceipt {
        try await schedule(notification, headers: [], at: time)
    }

    /// Cancels a scheduled message; returns whether it was still waiting.
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
        // The time in UTC, to the second, without a time zone.
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

/// The result of cancelling a scheduled message.
public enum Cancellation: Sendable, Hashable {
    /// The message will not be sent.
    case cancelled
    /// The hub has no such message: it has been sent or was already cancelled.
    case alreadyGone
}
