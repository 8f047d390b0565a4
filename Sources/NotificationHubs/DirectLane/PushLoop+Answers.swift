import CampaignCore
import Logging
import NIOCore
import NIOHTTP1

extension PushLoop {
    /// Takes an answer that is whole, or that will never be.
    func answered(_ connection: PushConnection, _ progress: AnswerParser.Progress) {
        guard let flight = connection.takeFlight() else { return }
        hasAnswered = true
        isReachable = true
        let goesOn = progress == .complete && connection.parser.keepsAlive
        guard goesOn else {
            retire(connection, abruptly: progress == .malformed)
            conclude(flight, connection.parser, orElse: .malformedAnswer)
            return pump()
        }
        if connection.parser.isAcceptance {
            accept(flight, connection.parser.messageID)
            feed(connection)
        } else if needsRenewal(flight, status: connection.parser.status) {
            token.renew(refusing: flight.token)
            // Not paced: one request more for each that was in flight, once a token.
            send(flight, over: connection)
        } else {
            refuse(flight, connection.parser)
            feed(connection)
        }
    }

    /// Gives a push whose connection is gone its result, or a second request.
    ///
    /// - Parameters:
    ///   - flight: the push, whose request began.
    ///   - parser: what came of its answer.
    ///   - cause: why there is no more, when that is not enough to know the answer.
    func conclude(
        _ flight: PushFlight, _ parser: AnswerParser, orElse cause: TransportFailure.Cause
    ) {
        // With its head read, the answer is known, whatever became of the rest of its body.
        guard parser.hasHead else {
            return fail(flight, TransportFailure(cause: cause, requestBegan: true))
        }
        hasAnswered = true
        guard !parser.isAcceptance else { return accept(flight, parser.messageID) }
        guard needsRenewal(flight, status: parser.status) else { return refuse(flight, parser) }
        token.renew(refusing: flight.token)
        guard !isShutDown, flight.deadline > .now() else {
            return fail(flight, TransportFailure(cause: isShutDown ? .shutDown : .timedOut))
        }
        launch(flight)
    }

    /// Gives a push without an answer its result.
    func fail(_ flight: PushFlight, _ failure: TransportFailure) {
        let error = HubError(noAnswerTo: SendRequest(flight), failure)
        logger.debug(
            "No answer to a message",
            metadata: ["tracking-id": "\(error.trackingID)", "reason": "\(error.reason)"])
        finish(
            flight,
            PushResult(
                number: flight.number,
                SendOutcome(result: .failure(error), requests: flight.requests)))
    }

    private func needsRenewal(_ flight: PushFlight, status: Int) -> Bool {
        status == 401 && flight.requests == 1
    }

    private func accept(_ flight: PushFlight, _ messageID: String?) {
        if isTracing {
            logger.trace(
                "The hub took a message", metadata: ["tracking-id": "\(flight.trackingID)"])
        }
        let tells = messageID.map { token.secrets.areTold(by: $0.utf8) } ?? false
        finish(
            flight,
            PushResult(
                number: flight.number, disposition: .accepted, hubMessage: tells ? nil : messageID,
                requests: flight.requests))
    }

    private func refuse(_ flight: PushFlight, _ parser: AnswerParser) {
        var headers = HTTPHeaders()
        for field in parser.fields { headers.add(name: field.name, value: field.value) }
        var answer = HubAnswer(status: parser.status, headers: headers, body: parser.body)
        answer.secrets = token.secrets
        let disposition = Disposition(
            .answered(status: answer.status, retryAfter: answer.retryAfter))
        logger.debug(
            "The hub did not take a message",
            metadata: ["tracking-id": "\(flight.trackingID)", "status": "\(answer.status)"])
        finish(
            flight,
            PushResult(
                number: flight.number,
                SendOutcome(
                    result: .failure(HubError(SendRequest(flight), answer, disposition)),
                    requests: flight.requests)))
    }
}

extension SendRequest {
    /// The request of a push as errors name it, without what it carried.
    fileprivate init(_ flight: PushFlight) {
        self.init(trackingID: flight.trackingID.description, headers: [:], body: ByteBuffer())
    }
}
