import HTTPServing
import HTTPTypes
import Hummingbird

extension HubExchange {
    /// Sends to the devices that match a tag expression, or to all devices: `POST /{hub}/messages`.
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

    /// Sends to up to ten devices and returns the outcome: `POST /{hub}/messages?test`.
    func testSend() throws(HubFailure) -> HubAnswer {
        let send =
            request.target.query.hasFlag("direct")
            ? try SendRequest(direct: request) : try SendRequest(request)
        return try take(send) { () throws(HubFailure) in
            let id = NotificationID.make(now: environment.now(), random: environment.random)
            let results = try deliver(
                send, id: id, mostTargets: NotificationOutcomeDocument.mostDevices)
            return response(
                .created, headers: ["Location": messageAddress(id)],
                body: NotificationOutcomeDocument(results: results).xml)
        }
    }

    private func queue(_ send: SendRequest) throws(HubFailure) -> HubAnswer {
        try take(send) { () throws(HubFailure) in
            let id = NotificationID.make(now: environment.now(), random: environment.random)
            try deliver(send, id: id)
            return taken(at: messageAddress(id))
        }
    }

    /// The empty response to a send; in recordings of the service, it has a content type.
    func taken(at address: String) -> Response {
        response(
            .created,
            headers: ["Content-Type": RequestTracking.xmlType, "Location": address])
    }

    /// The address of a notification, which is below `messages` even for a batch, because one SDK
    /// reads the third segment as the id.
    private func messageAddress(_ id: String) -> String {
        request.address(below: id, depth: 2)
    }

    /// Accepts a well-formed send unless a fault prevents it; `effect` performs the send.
    func take(
        _ send: SendRequest, _ effect: () throws(HubFailure) -> Response
    ) throws(HubFailure) -> HubAnswer {
        let summary = SendRequestSummary(
            ordinal: environment.sends.next(), platform: send.content.platform, tags: send.tags,
            bodyBytes: send.payload.count)
        return try FaultDecision(fault: environment.fault(summary)).applied(
            tracking, at: environment.now()
        ) { () throws(HubFailure) in .response(try effect()) }
    }

    /// Sends immediately; if a direct send would exceed the device limit, throws a 403 and sends
    /// nothing.
    @discardableResult
    func deliver(
        _ send: SendRequest, id: String, mostTargets: Int = .max
    ) throws(HubFailure) -> [PushResult] {
        let now = environment.now()
        return try hub.update { state throws(HubFailure) in
            try state.admit(send)
            return state.deliver(
                send, id: id, enqueued: now, now: now, mostTargets: mostTargets,
                fault: environment.refusal)
        }
    }
}

/// The response to a test send, on one line.
struct NotificationOutcomeDocument {
    static let mostDevices = 10

    let results: [PushResult]

    var xml: String {
        let successes = results.count { $0.refusal == nil }
        let list =
            results.isEmpty
            ? "<Results i:nil=\"true\"/>"
            : "<Results>" + results.map(Self.xml).joined() + "</Results>"
        return "<NotificationOutcome \(XMLText.serviceNamespaces)>"
            + XMLText.element("Success", String(successes))
            + XMLText.element("Failure", String(results.count - successes))
            + list + "</NotificationOutcome>"
    }

    private static func xml(_ result: PushResult) -> String {
        let registration = result.target.registration
        return "<RegistrationResult>"
            + XMLText.element("ApplicationPlatform", result.target.device.platform.format)
            + XMLText.element(
                "PnsHandle", registration?.channel.handle ?? result.target.device.handle)
            + XMLText.element("RegistrationId", registration?.id ?? "")
            + XMLText.element("Outcome", text(result.refusal)) + "</RegistrationResult>"
    }

    /// The documented message of each outcome that has one.
    private static func text(_ refusal: PushRefusal?) -> String {
        switch refusal?.outcome {
        case nil: "The Notification was successfully sent to the Push Notification System"
        case .wrongToken: "The Token obtained from the Token Provider is wrong"
        default: refusal?.reason ?? ""
        }
    }
}
