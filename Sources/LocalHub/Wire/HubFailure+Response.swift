import Foundation
import Hummingbird

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
}
