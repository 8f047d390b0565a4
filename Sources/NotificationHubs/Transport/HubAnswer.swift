import Foundation
import NIOHTTP1

/// The hub's answer to one request, as far as it was read.
struct HubAnswer: Sendable {
    let status: Int

    let headers: HTTPHeaders

    /// The beginning of the body, up to the transport's limit.
    let body: [UInt8]

    /// Whether the whole body was read.
    var isComplete = true

    var sentTrackingID = ""

    /// Hidden in texts; an id that contains one is dropped.
    var secrets = KnownSecrets.none

    /// The `Retry-After` header, if there is one.
    var retryAfter: RetryAfter? {
        headers.first(name: "Retry-After").map { RetryAfter($0, at: date ?? Date()) }
    }

    /// The time by the hub's clock, if the answer has one.
    var date: Date? { headers.first(name: "Date").flatMap(HTTPDate.read) }

    var trackingID: String? { headers.first(name: "TrackingId").flatMap(identifier) }

    /// The id to give to Microsoft's support.
    var supportID: String { trackingID ?? sentTrackingID }

    var correlationID: String? {
        headers.first(name: "x-ms-correlation-request-id").flatMap(identifier)
    }

    /// The last segment of the path in `Location`, without query; the URL is never opened.
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
