import Foundation
import NIOHTTP1

/// The hub's response to a request, or the part of it that was read.
struct HubAnswer: Sendable {
    let status: Int

    let headers: HTTPHeaders

    /// The beginning of the body, up to the transport's limit.
    let body: [UInt8]

    /// Whether the whole body was read.
    var isComplete = true

    var sentTrackingID = ""

    /// The secrets, which are hidden in text; an id that contains a secret is dropped.
    var secrets = KnownSecrets.none

    /// The `Retry-After` header, if there is one.
    var retryAfter: RetryAfter? {
        headers.first(name: "Retry-After").map { RetryAfter($0, at: date ?? Date()) }
    }

    /// The time on the hub's clock, if the response contains it.
    var date: Date? { headers.first(name: "Date").flatMap(HTTPDate.read) }

    var trackingID: String? { headers.first(name: "TrackingId").flatMap(identifier) }

    /// The id to give to Microsoft's support.
    var supportID: String { trackingID ?? sentTrackingID }

    var correlationID: String? {
        headers.first(name: "x-ms-correlation-request-id").flatMap(identifier)
    }

    /// The last segment of the path in `Location`, without the query; the URL is never opened.
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
