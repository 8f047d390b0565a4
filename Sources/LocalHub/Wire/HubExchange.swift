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

    /// The absolute address of something in this hub, as the client reached it, with the request's api-version.
    ///
    /// - Parameter path: the segments behind the hub's name, decoded.
    /// - Returns: the address.
    func address(_ path: String...) -> String {
        address(path[...])
    }

    /// The absolute address of something in this hub, as the client reached it, with the request's api-version.
    ///
    /// - Parameter path: the segments behind the hub's name, decoded.
    /// - Returns: the address.
    func address(_ path: ArraySlice<String>) -> String {
        request.address([hub.name] + path)
    }

    /// An answer.
    ///
    /// - Parameters:
    ///   - status: the status.
    ///   - headers: headers on top of the ids, `Content-Type` among them where it is not XML.
    ///   - body: the body.
    /// - Returns: the response.
    func response(
        _ status: HTTPResponse.Status, headers: KeyValuePairs<String, String> = [:],
        body: String = ""
    ) -> Response {
        tracking.response(status, headers: headers, body: body)
    }
}
