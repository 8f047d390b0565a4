import Foundation
import Hummingbird
import HummingbirdCore
import NIOCore

extension HubFailure {
    /// The answer that tells a client of the failure (reference, section 8).
    ///
    /// - Parameters:
    ///   - tracking: the ids of the request.
    ///   - time: the hub's time.
    /// - Returns: the response.
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
