import NIOCore
import NIOHTTP1

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Makes the requests that send a message: the same for sending and for showing them (reference:
/// sections 3 and 13).
struct SendEncoder: Sendable {
    /// The one version of the protocol that is spoken (reference: section 3.1).
    static let apiVersion = "2020-06"

    /// The address that sends are posted to.
    let address: String

    /// The same without scheme and host, as a request's first line has it.
    let target: String

    private let commonHeaders: HTTPHeaders
    private let base: String

    /// Prepares what all sends to a hub share.
    ///
    /// - Parameters:
    ///   - endpoint: the namespace; nil shows `<hub>` in its place.
    ///   - hubName: the hub; nil shows `<hub>` in its place, too, and one `<hub>` for both.
    ///   - userAgent: name and version of the program that sends.
    init(endpoint: HubEndpoint?, hubName: HubName?, userAgent: String) {
        let origin = endpoint?.origin ?? "https://<hub>"
        let path = hubName.map { "/\($0)/" } ?? (endpoint == nil ? "/" : "/<hub>/")
        base = origin + path
        target = "\(path)messages/?api-version=\(Self.apiVersion)"
        address = origin + target
        commonHeaders = ["Host": endpoint?.authority ?? "<hub>", "User-Agent": userAgent]
    }

    /// The headers that all sends of one kind share.
    ///
    /// - Parameters:
    ///   - format: the value of `ServiceBusNotification-Format`.
    ///   - contentType: the body's media type.
    ///   - options: the push service's options, in the order in which they shall stand.
    /// - Returns: the header, for any number of requests.
    func headers(
        format: String, contentType: String, options: some Sequence<(name: String, value: String)>
    ) -> HTTPHeaders {
        var headers = commonHeaders
        headers.reserveCapacity(16)
        headers.add(name: "Content-Type", value: contentType)
        headers.add(name: "ServiceBusNotification-Format", value: format)
        for option in options { headers.add(name: option.name, value: option.value) }
        return headers
    }

    /// One whole request.
    ///
    /// - Parameters:
    ///   - shared: what ``headers(format:contentType:options:)`` made.
    ///   - tags: who it is for.
    ///   - trackingID: the request's own id.
    ///   - authorization: the token, or its hidden form; empty: it is added later.
    ///   - body: the message.
    /// - Returns: the request.
    func request(
        shared: HTTPHeaders, tags: TagExpression, trackingID: String, authorization: String,
        body: ByteBuffer
    ) -> SendRequest {
        var headers = shared
        headers.add(name: "ServiceBusNotification-Tags", value: tags.description)
        headers.add(name: "TrackingId", value: trackingID)
        if !authorization.isEmpty { headers.add(name: "Authorization", value: authorization) }
        return SendRequest(trackingID: trackingID, headers: headers, body: body)
    }

    /// The address of an operation.
    ///
    /// - Parameter call: the operation.
    /// - Returns: the address, every segment and value percent-encoded; nil when a segment is
    ///   empty, `.` or `..`, by which an id would lead to another place than the one meant.
    func url(of call: HubCall) -> URL? {
        guard call.path.allSatisfy({ !["", ".", ".."].contains($0) }) else { return nil }
        // The service's own keywords, such as $batch, go out as they are written.
        let path = call.path.map { PercentEncoding.encode($0, keeping: "$") }
            .joined(separator: "/")
        let query = call.query.map { name, value in
            "&\(name)" + (value.map { "=\(PercentEncoding.encode($0))" } ?? "")
        }
        return URL(string: "\(base)\(path)?api-version=\(Self.apiVersion)\(query.joined())")
    }

    /// The headers of an operation, but for its token.
    ///
    /// - Parameters:
    ///   - call: the operation.
    ///   - trackingID: the request's own id.
    /// - Returns: the header.
    func headers(of call: HubCall, trackingID: String) -> HTTPHeaders {
        var headers = commonHeaders
        for (name, value) in call.headers { headers.add(name: name, value: value) }
        headers.add(name: "TrackingId", value: trackingID)
        return headers
    }
}

/// One encoded send, ready for the transport.
///
/// It holds secrets and is never printed as a whole.
struct SendRequest: Sendable {
    /// The request's own id, a GUID.
    let trackingID: String

    /// All headers but the length, which the transport adds.
    var headers: HTTPHeaders

    /// The message.
    let body: ByteBuffer
}

extension SendRequest: CustomStringConvertible, CustomReflectable {
    var description: String { "SendRequest(\(trackingID), hidden)" }
    var customMirror: Mirror { Mirror(self, children: ["trackingID": trackingID]) }
}
