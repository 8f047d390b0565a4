package import CampaignCore
import NIOCore
import NIOHTTP1

/// Sends pages of pushes to the hub of one client.
///
/// They go out over connections that one event loop keeps busy, directly or through a proxy.
package final class HubPushSender: PushSender {
    private let encoder: SendEncoder
    private let lane: PushLane

    /// Sends with as many requests in flight as the client's settings allow.
    ///
    /// - Parameter client: the client; its owner shuts it down after the last page, which closes the
    ///   connections of its senders too.
    package init(client: NotificationHubClient) {
        encoder = client.encoder
        lane = client.pushLane
    }

    /// The exact request of the first push of a page, with its signature and its tracking id left
    /// open.
    ///
    /// - Parameter page: a page; only its first push is looked at.
    /// - Returns: nil when the page is empty or its first push has no recipient that a tag can
    ///   name.
    package func describe(_ page: PushPage) -> PushRequest? {
        HubPushDescriber(encoder: encoder).describe(page)
    }

    /// Sends every push of a page and hands over what became of each.
    ///
    /// - Parameters:
    ///   - page: what to send. Its interval binds all pages of this sender together.
    ///   - results: takes a batch, at least every 250 ms while there are results.
    package func send(
        _ page: PushPage, handing results: @Sendable ([PushResult]) async -> Void
    ) async {
        await lane.send(page, handing: results)
    }
}

extension HubPushSender: CustomStringConvertible, CustomReflectable {
    /// The hub's address.
    package var description: String { "HubPushSender(\(encoder.address))" }

    /// The hub's address only.
    package var customMirror: Mirror { Mirror(self, children: ["address": encoder.address]) }
}

/// Shows the requests that a ``HubPushSender`` would make, made by the same encoder.
///
/// It needs no key, and no hub either: what is not known shows as `<hub>`.
package struct HubPushDescriber: PushDescriber {
    private let encoder: SendEncoder

    /// Describes requests to a hub.
    ///
    /// - Parameters:
    ///   - endpoint: the namespace, where it is known.
    ///   - hubName: the hub, where it is known.
    ///   - userAgent: the program that would send.
    package init(
        endpoint: HubEndpoint?, hubName: HubName?,
        userAgent: String = HubClientSettings.defaultUserAgent
    ) {
        encoder = SendEncoder(endpoint: endpoint, hubName: hubName, userAgent: userAgent)
    }

    init(encoder: SendEncoder) {
        self.encoder = encoder
    }

    /// The exact request of the first push of a page, with its signature and its tracking id left
    /// open.
    ///
    /// - Parameter page: a page; only its first push is looked at.
    /// - Returns: nil when the page is empty or its first push has no recipient that a tag can
    ///   name.
    package func describe(_ page: PushPage) -> PushRequest? {
        guard let push = page.pushes.first, case .success(let tags) = push.tags else { return nil }
        let request = encoder.request(
            shared: encoder.headers(for: page), tags: tags,
            trackingID: "(a new GUID for each request)",
            authorization: SharedAccessSignature.hidden, body: ByteBuffer(bytes: push.body))
        return PushRequest(
            method: "POST", url: encoder.address,
            headers: request.headers.map { PushHeader($0.name, $0.value) }
                + [PushHeader("Content-Length", String(push.body.count))],
            body: push.body)
    }
}
