import Foundation
import Logging
import NIOCore
import NIOHTTP1

extension NotificationHubClient {
    /// Does one operation, with the one renewal of a refused token.
    ///
    /// - Parameter call: the operation.
    /// - Returns: the answer, whose status is one that the operation accepts and whose body is whole.
    /// - Throws: ``HubError`` for any other answer, or none.
    func answer(to call: HubCall) async throws(HubError) -> HubAnswer {
        let trackingID = UUID().uuidString.lowercased()
        guard let url = encoder.url(of: call) else {
            throw HubError(
                call, trackingID: trackingID, ending: .failed(.init(cause: .invalidRequest)),
                answer: nil)
        }
        let headers = encoder.headers(of: call, trackingID: trackingID)
        let request = SendRequest(
            trackingID: trackingID, headers: headers, body: call.body ?? ByteBuffer())
        let exchange = await exchange(
            request, method: call.method, at: url,
            bodyLimit: max(call.bodyLimit + 1, HTTPTransport.bodyLimit))
        switch exchange.result {
        case .success(let answer):
            guard call.accepts.contains(answer.status) else {
                logger.debug(
                    "The hub refused an operation",
                    metadata: ["tracking-id": "\(trackingID)", "status": "\(answer.status)"])
                throw HubError(
                    call, trackingID: trackingID,
                    ending: .answered(status: answer.status, retryAfter: answer.retryAfter),
                    answer: answer)
            }
            guard call.bodyLimit > 0 else { return answer }
            guard answer.body.count <= call.bodyLimit else {
                throw HubError(
                    call, answer: answer,
                    reason: "the answer has more than \(call.bodyLimit) bytes")
            }
            guard answer.isComplete else { throw HubError(call, cutShort: answer) }
            guard !answer.secrets.areTold(by: answer.body) else {
                throw HubError(
                    call, answer: answer, reason: "the answer repeats the client's key or token")
            }
            return answer
        case .failure(let failure):
            let error = HubError(
                call, trackingID: trackingID, ending: .failed(failure), answer: nil)
            logger.debug(
                "No answer to an operation",
                metadata: ["tracking-id": "\(trackingID)", "reason": "\(error.reason)"])
            throw error
        }
    }

    /// Makes one request, and the same once more with a new token when the hub refuses the first.
    ///
    /// Both together keep to the request timeout. A redirect is an answer like any other.
    ///
    /// - Parameters:
    ///   - request: the request without its token.
    ///   - method: the method.
    ///   - url: where it goes to.
    ///   - bodyLimit: the most bytes of the answer's body to keep.
    /// - Returns: the last answer, or why there is none; and how many requests began.
    func exchange(
        _ request: SendRequest, method: HTTPMethod, at url: URL, bodyLimit: Int
    ) async -> (result: Result<HubAnswer, TransportFailure>, requests: Int) {
        let deadline = transport.deadline
        let token = tokens.token()
        var request = request
        request.headers.replaceOrAdd(name: "Authorization", value: token.authorization)
        var requests = 0
        do throws(TransportFailure) {
            var answer = try await transport.execute(
                request, method: method, at: url, bodyLimit: bodyLimit, by: deadline)
            requests = 1
            if answer.status == 401 {
                logger.debug("The hub refused the token; signing another")
                request.headers.replaceOrAdd(
                    name: "Authorization", value: tokens.token(replacing: token).authorization)
                answer = try await transport.execute(
                    request, method: method, at: url, bodyLimit: bodyLimit, by: deadline)
                requests = 2
            }
            answer.secrets = tokens.secrets
            return (.success(answer), requests)
        } catch {
            return (.failure(error), requests + (error.requestBegan ? 1 : 0))
        }
    }
}
