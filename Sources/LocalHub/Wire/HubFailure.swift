import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore

/// Why the hub refuses a request: a status, and what the error body says.
struct HubFailure: Error, Equatable {
    /// The status of the answer.
    let status: HTTPResponse.Status
    /// The text before the tracking id in the error body; nil: no body at all.
    let detail: String?
    /// Further headers of the answer.
    var headers: [String: String] = [:]
}

extension HubFailure {
    /// A request that is wrong in itself.
    static func badRequest(_ detail: String) -> HubFailure {
        HubFailure(status: .badRequest, detail: detail)
    }

    /// The target of the request cannot be read.
    static let malformedTarget = badRequest("The request address is malformed.")

    /// The `Host` header is missing, doubled or no host.
    static let malformedHost = badRequest("The Host header is missing or malformed.")

    /// A token that opens nothing.
    static func unauthorized(_ failure: AuthorizationFailure) -> HubFailure {
        HubFailure(status: .unauthorized, detail: failure.detail)
    }

    /// The token is good, but its rule lacks the claim; recorded with an empty body.
    static let missingClaim = HubFailure(status: .forbidden, detail: nil)

    /// The path names another hub than this one (recorded text).
    static let unknownHub = HubFailure(
        status: .notFound, detail: "No service is hosted at the specified address.")

    /// There is a hub of that name already (recorded text).
    static let hubExists = HubFailure(status: .conflict, detail: "SubCode=40900. Conflict")

    /// The namespace has as many hubs as it can.
    static let tooManyHubs = HubFailure(
        status: .forbidden, detail: "The local hub keeps no more hubs; delete one.")

    /// The hub has nothing at this path.
    static let unknownPath = HubFailure(status: .notFound, detail: "")

    /// There is no installation of that id (recorded text).
    static let installationNotFound = HubFailure(
        status: .notFound, detail: "Installation not found")

    /// The version in `If-Match` is not the registration's.
    static let preconditionFailed = HubFailure(
        status: .preconditionFailed,
        detail: "The registration has changed; read it again and repeat the change.")

    /// The path is known, the method is not.
    static func methodNotAllowed(_ allowed: String) -> HubFailure {
        HubFailure(
            status: .methodNotAllowed, detail: "The method is not allowed here; use \(allowed).",
            headers: ["Allow": allowed])
    }

    /// The body is over the hub's limit.
    static func bodyTooLarge(limit: Int) -> HubFailure {
        HubFailure(
            status: .contentTooLarge, detail: "The request body is larger than \(limit) bytes.",
            headers: ["Connection": "close"])
    }

    /// The hub keeps as many devices, or as many registrations of them, as it can.
    static func tooManyDevices(_ limits: LocalHubLimits) -> HubFailure {
        HubFailure(
            status: .forbidden,
            detail: "The local hub keeps at most \(limits.devices) devices with "
                + "\(limits.registrations) registrations; delete some, or start it afresh.")
    }
}

extension HubFailure {
    /// The answer that tells a client of the failure (reference, section 8).
    ///
    /// - Parameters:
    ///   - tracking: the ids of the request.
    ///   - time: the hub's time.
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

    /// The answer that tells somebody of the failure who looks into the hub.
    ///
    /// - Parameter form: JSON or text; a document has ids, which need ``response(_:at:)``.
    /// - Returns: the response: `{"error":"A sentence."}`, or the sentence.
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

/// The XML body of an error: no namespace, one line, no declaration (recorded shape; reference, section 8).
private struct ErrorDocument {
    /// The HTTP status code.
    let code: Int
    /// What was wrong; may be empty.
    let detail: String
    /// The tracking id of the answer.
    let trackingID: String
    /// When the hub answered.
    let time: Date

    /// The document.
    var xml: String {
        let text = "\(detail).TrackingId:\(trackingID)_G0,TimeStamp:\(timestamp)"
        return "<Error><Code>\(code)</Code><Detail>\(XMLText.escaped(text))</Detail></Error>"
    }

    /// The time in the service's form: `11/7/2018 12:18:23 AM`, UTC.
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
