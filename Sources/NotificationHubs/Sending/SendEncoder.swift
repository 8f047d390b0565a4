import CampaignCore
import NIOCore
import NIOHTTP1

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Creates the requests for messages, both for sending and for display.
struct SendEncoder: Sendable {
    static let apiVersion = "2020-06"

    let address: String

    /// The path and query of the address.
    let target: String

    private let commonHeaders: HTTPHeaders
    private let base: String

    /// The parts that all sends to a hub have in common; a nil part is shown as `<hub>`.
    init(endpoint: HubEndpoint?, hubName: HubName?, userAgent: String) {
        let origin = endpoint?.origin ?? "https://<hub>"
        let path = hubName.map { "/\($0)/" } ?? (endpoint == nil ? "/" : "/<hub>/")
        base = origin + path
        target = "\(path)messages/?api-version=\(Self.apiVersion)"
        address = origin + target
        commonHeaders = ["Host": endpoint?.authority ?? "<hub>", "User-Agent": userAgent]
    }

    /// The headers that all sends of one kind have in common, with sorted options.
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

    /// A complete request; an empty authorization is filled in later.
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

    /// The URL of an operation; nil if a segment is empty, or is `.` or `..`, which would change
    /// the path.
    func url(of call: HubCall) -> URL? {
        guard call.path.allSatisfy({ !["", ".", ".."].contains($0) }) else { return nil }
        // The keywords of the service, such as `$batch`, are not encoded.
        let path = call.path.map { PercentEncoding.encode($0, keeping: "$") }
            .joined(separator: "/")
        let query = call.query.map { name, value in
            "&\(name)" + (value.map { "=\(PercentEncoding.encode($0))" } ?? "")
        }
        return URL(string: "\(base)\(path)?api-version=\(Self.apiVersion)\(query.joined())")
    }

    /// The headers of an operation, without the token.
    func headers(of call: HubCall, trackingID: String) -> HTTPHeaders {
        var headers = commonHeaders
        for (name, value) in call.headers { headers.add(name: name, value: value) }
        headers.add(name: "TrackingId", value: trackingID)
        return headers
    }
}

/// An encoded send; it contains secrets and is never printed as a whole.
struct SendRequest: Sendable {
    let trackingID: String

    /// All headers except `Content-Length`, which the transport adds.
    var headers: HTTPHeaders

    let body: ByteBuffer
}

extension SendRequest: CustomStringConvertible, CustomReflectable {
    var description: String { "SendRequest(\(trackingID), hidden)" }
    var customMirror: Mirror { Mirror(self, children: ["trackingID": trackingID]) }
}
