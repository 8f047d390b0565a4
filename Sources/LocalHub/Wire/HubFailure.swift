import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore

/// An error response: the status and the text of the error body.
struct HubFailure: Error, Equatable {
    let status: HTTPResponse.Status
    /// The text before the tracking id in the error body; nil means an empty body.
    let detail: String?
    var headers: [String: String] = [:]
}

extension HubFailure {
    static func badRequest(_ detail: String) -> HubFailure {
        HubFailure(status: .badRequest, detail: detail)
    }

    static let malformedTarget = badRequest("The request address is malformed.")

    static let malformedHost = badRequest("The Host header is missing or malformed.")

    static func unauthorized(_ failure: AuthorizationFailure) -> HubFailure {
        HubFailure(status: .unauthorized, detail: failure.detail)
    }

    /// In recordings of the service, the body is empty.
    static let missingClaim = HubFailure(status: .forbidden, detail: nil)

    /// The text was recorded from the service.
    static let unknownHub = HubFailure(
        status: .notFound, detail: "No service is hosted at the specified address.")

    /// The text was recorded from the service.
    static let hubExists = HubFailure(status: .conflict, detail: "SubCode=40900. Conflict")

    static let tooManyHubs = HubFailure(
        status: .forbidden, detail: "The local hub cannot have any more hubs; delete one.")

    static let unknownPath = HubFailure(status: .notFound, detail: "")

    /// The text was recorded from the service.
    static let installationNotFound = HubFailure(
        status: .notFound, detail: "Installation not found")

    static let preconditionFailed = HubFailure(
        status: .preconditionFailed,
        detail: "The registration has changed; read it again and repeat the change.")

    static func methodNotAllowed(_ allowed: String) -> HubFailure {
        HubFailure(
            status: .methodNotAllowed, detail: "The method is not allowed here; use \(allowed).",
            headers: ["Allow": allowed])
    }

    static func bodyTooLarge(limit: Int) -> HubFailure {
        HubFailure(
            status: .contentTooLarge, detail: "The request body is larger than \(limit) bytes.",
            headers: ["Connection": "close"])
    }

    static func tooManyDevices(_ limits: LocalHubLimits) -> HubFailure {
        HubFailure(
            status: .forbidden,
            detail: "The local hub can have up to \(limits.devices) devices with "
                + "\(limits.registrations) registrations; delete some, or start a new hub.")
    }
}

extension HubFailure {
    func response(_ tracking: RequestTracking, at time: Date) -> Response {
        let body = detail.map {
            ErrorDocument(
                code: status.code, detail: $0, trackingID: tracking.trackingID, time: time
            ).xml
        }
        var response = tracking.response(status, body: body ?? "")
        for (name, value) in headers { response.headers.add(name, value) }
        return response
    }

    /// The response below `/.hubsend`: `{"error":"A sentence."}`, or the sentence as plain text;
    /// ``response(_:at:)`` creates XML documents.
    func response(as form: RefusalForm) -> Response {
        let sentence = detail.flatMap { $0.isEmpty ? nil : $0 } ?? status.reasonPhrase + "."
        let isJSON = form == .json
        var fields = InspectionFields.make(
            isJSON ? "application/json; charset=utf-8" : "text/plain; charset=utf-8")
        for (name, value) in headers { fields.add(name, value) }
        let text = isJSON ? JSONText.object([("error", JSONText.quoted(sentence))]) : sentence
        return Response(
            status: status, headers: fields,
            body: ResponseBody(byteBuffer: ByteBuffer(string: text + "\n")))
    }
}

/// The XML body of an error, as recorded from the service: one line without a namespace or
/// declaration.
private struct ErrorDocument {
    let code: Int
    let detail: String
    let trackingID: String
    let time: Date

    var xml: String {
        let text = "\(detail).TrackingId:\(trackingID)_G0,TimeStamp:\(timestamp)"
        return "<Error><Code>\(code)</Code><Detail>\(XMLText.escaped(text))</Detail></Error>"
    }

    /// A time such as `11/7/2018 12:18:23 AM`, in UTC.
    private var timestamp: String {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        let parts = calendar.dateComponents(
            [.year, .month, .day, .hour, .minute, .second], from: time)
        let hour = parts.hour ?? 0
        let clock = [hour % 12 == 0 ? 12 : hour % 12, parts.minute ?? 0, parts.second ?? 0]
        let digits = clock.enumerated().map { index, value in
            index > 0 && value < 10 ? "0\(value)" : "\(value)"
        }
        return "\(parts.month ?? 0)/\(parts.day ?? 0)/\(parts.year ?? 0) "
            + "\(digits.joined(separator: ":")) \(hour < 12 ? "AM" : "PM")"
    }
}
