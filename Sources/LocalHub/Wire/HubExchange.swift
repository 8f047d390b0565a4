import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore

/// One authorised request to one hub, and what its answer is made of.
///
/// Each operation is a method in an extension beside the types that it works with.
struct HubExchange {
    /// The request.
    let request: HubRequest
    /// The ids of the request.
    let tracking: RequestTracking
    /// The hub that the path names.
    let hub: HubStore
    /// What all hubs share.
    let environment: HubEnvironment

    /// An answer.
    ///
    /// - Parameters:
    ///   - status: the status.
    ///   - headers: headers on top of the ids, `Content-Type` among them where a body is not XML.
    ///   - body: the body.
    /// - Returns: the response.
    func response(
        _ status: HTTPResponse.Status, headers: KeyValuePairs<String, String> = [:],
        body: String = ""
    ) -> Response {
        tracking.response(status, headers: headers, body: body)
    }
}
