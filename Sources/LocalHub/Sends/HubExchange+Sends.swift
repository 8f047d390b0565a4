import HTTPTypes
import Hummingbird

extension HubExchange {
    /// Sends to the devices of a tag expression, or to all: `POST /{hub}/messages`.
    func send() throws(HubFailure) -> HubAnswer {
        let send = try SendRequest(request)
        let now = environment.now()
        let id = NotificationID.make(now: now, random: environment.random)
        let summary = SendRequestSummary(
            ordinal: environment.sends.next(), platform: send.platform, tags: send.tags,
            bodyBytes: send.payload.count)
        switch environment.fault(summary) {
        case nil:
            deliver(send, id: id)
            return .response(
                response(.created, headers: ["Location": address("messages", id)]))
        case .answer(let status, let headers):
            throw HubFailure(
                status: HTTPResponse.Status(code: min(max(status, 200), 599)),
                detail: "The local hub was told to answer this.", headers: headers)
        case .hang(let takesEffect):
            if takesEffect { deliver(send, id: id) }
            return .hang
        case .drop(let takesEffect):
            if takesEffect { deliver(send, id: id) }
            return .drop
        }
    }

    private func deliver(_ send: SendRequest, id: String) {
        let fits = send.platform.largestPayload.map { send.payload.count <= $0 } ?? true
        let push = ReceivedPush(
            notificationID: id, platform: send.platform, headers: send.headers,
            body: send.payload, time: environment.now(),
            outcome: fits ? .success : .invalidNotificationSize)
        hub.update { $0.deliver(push, to: send.expression) }
    }
}
