import Foundation
import NIOHTTP1

/// The hub's answer to one request, as much of it as is looked at.
struct HubAnswer: Sendable {
    /// The status code.
    let status: Int

    /// The header fields.
    let headers: HTTPHeaders

    /// The beginning of the body, up to the transport's limit.
    let body: [UInt8]

    /// Whether the body is all that the hub sent.
    var isComplete = true

    /// The tracking id that the request went out with.
    var sentTrackingID = ""

    /// The client's secrets: an id with one in it is dropped, and in texts they are hidden.
    var secrets = KnownSecrets.none

    /// The `Retry-After` header, where there is one.
    var retryAfter: RetryAfter? {
        headers.first(name: "Retry-After").map { RetryAfter($0, at: date ?? Date()) }
    }

    /// The time by the hub's clock, where it gives one.
    var date: Date? { headers.first(name: "Date").flatMap(HTTPDate.read) }

    /// The hub's tracking id, where it gives a valid one.
    var trackingID: String? { headers.first(name: "TrackingId").flatMap(identifier) }

    /// The id to give when asking Microsoft about the request: the hub's, else the one that was
    /// sent.
    var supportID: String { trackingID ?? sentTrackingID }

    /// The hub's correlation id, where it gives a valid one.
    var correlationID: String? {
        headers.first(name: "x-ms-correlation-request-id").flatMap(identifier)
    }

    /// The last segment of the path in `Location`, without query; nil without a valid one
    /// (reference: section 3.9).
    ///
    /// The address itself is never contacted.
    var locationID: String? {
        guard let location = headers.first(name: "Location") else { return nil }
        let path = location.prefix { $0 != "?" && $0 != "#" }
        guard let slash = path.lastIndex(of: "/") else { return nil }
        return identifier(String(path[path.index(after: slash)...]))
    }

    private func identifier(_ text: String) -> String? {
        secrets.areTold(by: text.utf8) ? nil : ForeignText.identifier(text)
    }
}
