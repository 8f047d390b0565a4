import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore

/// The hub itself: answers whole requests, keeps devices, and knows no socket.
struct Hub: Sendable {
    /// The devices.
    let devices: DeviceMailboxes

    private let name: String
    private let verifier: TokenVerifier
    private let sends = SendCounter()
    private let fault: @Sendable (SendRequestSummary) -> LocalHubFault?
    private let now: @Sendable () -> Date
    private let random: @Sendable () -> UInt64

    /// Makes a hub with the devices of a configuration.
    ///
    /// - Throws: a 403 when there are more devices than the limits allow.
    init(_ configuration: LocalHubConfiguration) throws(HubFailure) {
        name = configuration.hubName
        verifier = TokenVerifier(
            rules: configuration.rules, skew: configuration.limits.clockSkew)
        fault = configuration.fault
        now = configuration.now
        random = configuration.random
        devices = DeviceMailboxes(limits: configuration.limits)
        for device in configuration.devices {
            try devices.put(
                Installation(
                    id: GUID.make(random), platform: device.platform,
                    handle: device.handle ?? madeUpHandle(), tags: device.tags))
        }
    }

    /// Answers a request.
    ///
    /// - Parameters:
    ///   - head: method, target, host, scheme and headers.
    ///   - body: the whole body.
    /// - Returns: what becomes of the request.
    func answer(_ head: HTTPRequest, body: [UInt8]) -> HubAnswer {
        let headers = HubRequest.headers(of: head.headerFields)
        let tracking = RequestTracking(headers: headers, random: random)
        do {
            let request = try HubRequest(head: head, headers: headers, body: body)
            if request.target.segments.first?.lowercased() == InspectionPath.root {
                return .response(try Inspection(devices: devices).response(to: request))
            }
            return try perform(request, tracking)
        } catch {
            return .response(refusal(error, tracking))
        }
    }

    /// The response to a request that was refused before the hub saw all of it.
    ///
    /// - Parameters:
    ///   - failure: why.
    ///   - fields: the request's headers.
    /// - Returns: the response.
    func refusal(_ failure: HubFailure, to fields: HTTPFields) -> Response {
        let headers = HubRequest.headers(of: fields)
        return refusal(failure, RequestTracking(headers: headers, random: random))
    }

    private func perform(
        _ request: HubRequest, _ tracking: RequestTracking
    ) throws(HubFailure) -> HubAnswer {
        guard let hub = request.target.segments.first else { throw .unknownPath }
        guard hub.lowercased() == name.lowercased() else { throw .unknownHub }
        let operation = try HubOperation(
            method: request.method, path: request.target.segments.dropFirst(),
            query: request.target.query)
        try authorize(request, for: operation)
        switch operation {
        case .send:
            return try send(SendRequest(request), in: request, tracking)
        case .putInstallation(let id):
            try devices.put(InstallationDocument.installation(from: request.body, id: id))
            return .response(response(.ok, tracking))
        case .notYet(let what):
            throw .notYet(what)
        }
    }

    private func authorize(
        _ request: HubRequest, for operation: HubOperation
    ) throws(HubFailure) {
        let rule: LocalHubRule
        do {
            rule = try verifier.rule(
                provenBy: request.headers["authorization"], host: request.authority.host,
                path: request.target.path, now: now())
        } catch {
            throw .unauthorized(error)
        }
        if let claim = operation.claim, !rule.grants(claim) { throw .missingClaim }
    }

    private func send(
        _ send: SendRequest, in request: HubRequest, _ tracking: RequestTracking
    ) -> HubAnswer {
        let summary = SendRequestSummary(
            ordinal: sends.next(), platform: send.platform, tags: send.tags,
            bodyBytes: send.payload.count)
        let id = NotificationID.make(now: now(), random: random)
        switch fault(summary) {
        case nil:
            deliver(send, id: id)
            return .response(accepted(id: id, request, tracking))
        case .answer(let status, let headers):
            let failure = HubFailure(
                status: HTTPResponse.Status(code: min(max(status, 200), 599)),
                detail: "The local hub was told to answer this.", headers: headers)
            return .response(refusal(failure, tracking))
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
        devices.deliver(
            ReceivedPush(
                notificationID: id, platform: send.platform, headers: send.headers,
                body: send.payload, time: now(), outcome: fits ? .success : .invalidNotificationSize
            ),
            to: send.expression)
    }

    /// The answer to a send (reference, section 3.9): the address is absolute, as the client reached us.
    private func accepted(
        id: String, _ request: HubRequest, _ tracking: RequestTracking
    ) -> Response {
        let version = request.target.query["api-version"].map {
            "?api-version=\(PercentEncoding.encode($0))"
        }
        var response = response(.created, tracking)
        response.headers.add(
            "Location",
            "\(request.scheme)://\(request.authority.text)/\(name)/messages/\(id)\(version ?? "")")
        return response
    }

    private func refusal(_ failure: HubFailure, _ tracking: RequestTracking) -> Response {
        var body = ""
        if let detail = failure.detail {
            body =
                ErrorDocument(
                    code: failure.status.code, detail: detail, trackingID: tracking.trackingID,
                    time: now()
                ).xml
        }
        var response = response(failure.status, tracking, body: body)
        for (name, value) in failure.headers { response.headers.add(name, value) }
        return response
    }

    private func response(
        _ status: HTTPResponse.Status, _ tracking: RequestTracking, body: String = ""
    ) -> Response {
        var fields: HTTPFields = [:]
        fields.add("Content-Type", "application/xml; charset=utf-8")
        fields.add("TrackingId", tracking.trackingID)
        fields.add("x-ms-correlation-request-id", tracking.correlationID)
        return Response(
            status: status, headers: fields,
            body: body.isEmpty ? ResponseBody() : ResponseBody(byteBuffer: ByteBuffer(string: body))
        )
    }

    private func madeUpHandle() -> String {
        (0..<4).map { _ in Hexadecimal.text(random(), digits: 16) }.joined().uppercased()
    }
}
