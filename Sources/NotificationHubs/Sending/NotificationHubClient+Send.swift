import Foundation
import Logging
import NIOCore
import NIOHTTP1

extension NotificationHubClient {
    /// Sends a message to the devices whose tags match an expression; the receipt confirms that it
    /// is queued.
    ///
    /// Cancelling the task does not interrupt a send, because the response would be lost; the
    /// request timeout still applies. Sends beyond the concurrency in the settings wait for a
    /// connection. If the hub refuses the token, it is renewed and the request is repeated once.
    @discardableResult
    public func send(
        _ notification: some HubNotification, to tags: TagExpression
    ) async throws(HubError) -> SendReceipt {
        try await instruments.trace("send") { () async throws(HubError) in
            try await instruments.measure("send") { () async throws(HubError) in
                try await sendOnce(notification, to: tags)
            }
        }
    }

    private func sendOnce(
        _ notification: some HubNotification, to tags: TagExpression
    ) async throws(HubError) -> SendReceipt {
        let shared = encoder.headers(
            format: notification.formatName, contentType: notification.contentType,
            options: notification.options)
        let request = encoder.request(
            shared: shared, tags: tags, trackingID: UUID().uuidString.lowercased(),
            authorization: "", body: ByteBuffer(bytes: notification.body))
        switch await exchange(
            request, method: .POST, at: sendURL, bodyLimit: HTTPTransport.bodyLimit
        ).result {
        case .success(let answer): return try receipt(of: answer)
        case .failure(let failure):
            let error = HubError(noAnswerTo: request, failure)
            logger.debug(
                "The hub did not respond to a message",
                metadata: ["tracking-id": "\(error.trackingID)", "reason": "\(error.reason)"])
            throw error
        }
    }

    private func receipt(of answer: HubAnswer) throws(HubError) -> SendReceipt {
        let disposition = Disposition(
            .answered(status: answer.status, retryAfter: answer.retryAfter))
        guard disposition == .accepted else {
            logger.debug(
                "The hub did not accept a message",
                metadata: [
                    "tracking-id": "\(answer.sentTrackingID)", "status": "\(answer.status)",
                ])
            throw HubError(refusedBy: answer)
        }
        logger.trace(
            "The hub accepted a message", metadata: ["tracking-id": "\(answer.sentTrackingID)"])
        return SendReceipt(answer)
    }
}

extension NotificationHubClient {
    /// Sends a message to every device of its push service, or to every device with a template.
    @discardableResult
    public func broadcast(
        _ notification: some HubNotification
    ) async throws(HubError) -> SendReceipt {
        SendReceipt(
            try await answer(to: HubCall(sending: "broadcast", notification, headers: [])))
    }
}

extension NotificationHubClient {
    /// Sends a message to one device, whether it is registered or not.
    @discardableResult
    public func send(
        _ notification: NativeNotification, to handle: DeviceHandle
    ) async throws(HubError) -> SendReceipt {
        SendReceipt(
            try await answer(
                to: HubCall(
                    sending: "direct send", notification, flag: "direct", headers: handle.headers)))
    }

    /// Sends one message to a list of devices, whether they are registered or not; hubs in the Free
    /// tier refuse it.
    @discardableResult
    public func send(_ batch: DirectBatch) async throws(HubError) -> SendReceipt {
        let notification = batch.notification
        let headers = [
            (name: "Content-Type", value: "multipart/mixed; boundary=\"\(batch.boundary)\""),
            (name: "ServiceBusNotification-Format", value: notification.formatName),
        ]
        let call = HubCall(
            operation: "direct send of a batch", method: .POST, path: ["messages", "$batch"],
            query: [(name: "direct", value: nil)], headers: headers + notification.options,
            body: ByteBuffer(bytes: batch.body), accepts: 200...201, isRepeatable: false,
            bodyLimit: 0)
        return SendReceipt(try await answer(to: call))
    }
}

extension NotificationHubClient {
    /// Sends a message to up to 10 devices and waits for the outcome, which shows why a device does
    /// not receive anything.
    ///
    /// A hub accepts only 10 test sends per minute.
    public func testSend(
        _ notification: some HubNotification, to tags: TagExpression
    ) async throws(HubError) -> NotificationOutcome {
        let call = HubCall(
            sending: "test send", notification, flag: "test", headers: [tags.header],
            bodyLimit: 262_144)
        let answer = try await answer(to: call)
        let element = try HubElement(answer, of: call)
        do throws(XMLReadingError) {
            return try NotificationOutcome(element, answer.supportID)
        } catch {
            throw HubError(call, answer: answer, reason: error.description)
        }
    }
}

/// The hub's receipt for an accepted message, which is queued but not delivered yet.
public struct SendReceipt: Sendable, Hashable {
    /// The hub's id for the message, from `Location`; nil on tiers that do not assign one.
    public let messageID: String?

    /// The id to give to Microsoft's support: the hub's, or the one sent with the request.
    public let trackingID: String

    /// The hub's `x-ms-correlation-request-id`, if it sent one.
    public let correlationID: String?

    /// The status: 201, or 200 from older hubs.
    public let status: Int

    init(_ answer: HubAnswer) {
        messageID = answer.locationID
        trackingID = answer.supportID
        correlationID = answer.correlationID
        status = answer.status
    }
}
