import Foundation
import Logging
import NIOCore
import NIOHTTP1

extension NotificationHubClient {
    /// Sends a message to the devices whose tags satisfy an expression.
    ///
    /// ```swift
    /// let silent = try NativeNotification.appleBackground(
    ///     #"{"aps":{"content-available":1},"id":"42"}"#)
    /// let receipt = try await client.send(silent, to: TagExpression(Tag("username:alice")))
    /// ```
    ///
    /// A send that began is not cut short by cancelling its task, since its answer would be lost;
    /// it ends by the request timeout. More sends at once than the settings' concurrency wait for a
    /// connection. A token that the hub refuses is renewed, and the request sent again, once.
    ///
    /// - Parameters:
    ///   - notification: the message, native or for templates.
    ///   - tags: who it is for.
    /// - Returns: what the hub said: the message is queued, not delivered.
    /// - Throws: ``HubError``, whose disposition says whether to send it again.
    public func send(
        _ notification: some HubNotification, to tags: TagExpression
    ) async throws(HubError) -> SendReceipt {
        let shared = encoder.headers(
            format: notification.formatName, contentType: notification.contentType,
            options: notification.options)
        let body = ByteBuffer(bytes: notification.body)
        return try await send(shared: shared, tags: tags, body: body).result.get()
    }

    /// Sends one encoded message, with the one renewal of a refused token.
    ///
    /// - Parameters:
    ///   - shared: the headers that all messages of its kind share.
    ///   - tags: who it is for.
    ///   - body: the message.
    /// - Returns: the receipt or the error, and the number of requests that began.
    func send(shared: HTTPHeaders, tags: TagExpression, body: ByteBuffer) async -> SendOutcome {
        let request = encoder.request(
            shared: shared, tags: tags, trackingID: UUID().uuidString.lowercased(),
            authorization: "", body: body)
        let exchange = await exchange(
            request, method: .POST, at: sendURL, bodyLimit: HTTPTransport.bodyLimit)
        switch exchange.result {
        case .success(let answer):
            return SendOutcome(result: result(of: request, answer), requests: exchange.requests)
        case .failure(let failure):
            let error = HubError(noAnswerTo: request, failure)
            logger.debug(
                "No answer to a message",
                metadata: ["tracking-id": "\(error.trackingID)", "reason": "\(error.reason)"])
            return SendOutcome(result: .failure(error), requests: exchange.requests)
        }
    }

    private func result(
        of request: SendRequest, _ answer: HubAnswer
    ) -> Result<SendReceipt, HubError> {
        let disposition = Disposition(
            .answered(status: answer.status, retryAfter: answer.retryAfter))
        guard disposition == .accepted else {
            logger.debug(
                "The hub did not take a message",
                metadata: ["tracking-id": "\(request.trackingID)", "status": "\(answer.status)"])
            return .failure(HubError(request, answer, disposition))
        }
        logger.trace(
            "The hub took a message", metadata: ["tracking-id": "\(request.trackingID)"])
        return .success(SendReceipt(answer))
    }
}
