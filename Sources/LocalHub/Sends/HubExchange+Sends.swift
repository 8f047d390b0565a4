import HTTPTypes
import Hummingbird

extension HubExchange {
    /// Sends to the devices of a tag expression, or to all: `POST /{hub}/messages`.
    func send() throws(HubFailure) -> HubAnswer {
        try queue(try SendRequest(request))
    }

    /// Sends to the device of a handle: `POST /{hub}/messages?direct`.
    func directSend() throws(HubFailure) -> HubAnswer {
        try queue(try SendRequest(direct: request))
    }

    /// Sends to the devices of up to 1,000 handles: `POST /{hub}/messages/$batch?direct`.
    func batchSend() throws(HubFailure) -> HubAnswer {
        try queue(try SendRequest(batch: request))
    }

    /// Sends to at most ten devices, and answers with what became of it: `POST /{hub}/messages?test`.
    func testSend() throws(HubFailure) -> HubAnswer {
        let send = try SendRequest(request)
        return try take(send) { () throws(HubFailure) in
            let id = NotificationID.make(now: environment.now(), random: environment.random)
            let results = deliver(
                send, id: id, mostTargets: NotificationOutcomeDocument.mostDevices)
            return response(
                .created, headers: ["Location": address("messages", id)],
                body: NotificationOutcomeDocument(results: results).xml)
        }
    }

    private func queue(_ send: SendRequest) throws(HubFailure) -> HubAnswer {
        try take(send) { () throws(HubFailure) in
            let id = NotificationID.make(now: environment.now(), random: environment.random)
            deliver(send, id: id)
            return response(.created, headers: ["Location": address("messages", id)])
        }
    }

    /// Takes a well-formed send, unless a fault comes in between.
    ///
    /// - Parameters:
    ///   - send: the send.
    ///   - effect: does what the send asks for, and makes its answer.
    /// - Returns: what becomes of the request.
    /// - Throws: what the effect throws, or the answer that the fault is.
    func take(
        _ send: SendRequest, _ effect: () throws(HubFailure) -> Response
    ) throws(HubFailure) -> HubAnswer {
        let summary = SendRequestSummary(
            ordinal: environment.sends.next(), platform: send.content.platform, tags: send.tags,
            bodyBytes: send.payload.count)
        switch environment.fault(summary) {
        case nil:
            return .response(try effect())
        case .answer(let status, let headers):
            throw HubFailure(
                status: HTTPResponse.Status(code: min(max(status, 200), 599)),
                detail: "The local hub was told to answer this.", headers: headers)
        case .hang(let takesEffect):
            if takesEffect { _ = try effect() }
            return .hang
        case .drop(let takesEffect):
            if takesEffect { _ = try effect() }
            return .drop
        }
    }

    /// Sends at once.
    @discardableResult
    func deliver(_ send: SendRequest, id: String, mostTargets: Int = .max) -> [PushResult] {
        let now = environment.now()
        return hub.update { state in
            state.deliver(
                send, id: id, enqueued: now, now: now, mostTargets: mostTargets,
                fault: environment.refusal)
        }
    }
}
