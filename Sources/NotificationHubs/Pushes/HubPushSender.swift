package import CampaignCore
import NIOCore
import NIOHTTP1

/// Sends pages of pushes to the hub of one client.
package final class HubPushSender: PushSender {
    private let encoder: SendEncoder
    private let lane: PushLane

    /// The owner of the client shuts the client down after the last page, which also closes this
    /// sender's connections.
    package init(client: NotificationHubClient) {
        encoder = client.encoder
        lane = client.pushLane
    }

    /// The exact request for the first push of a page, without the signature and tracking id; nil
    /// if no tag addresses the push.
    package func describe(_ page: PushPage) -> PushRequest? {
        HubPushDescriber(encoder: encoder).describe(page)
    }

    /// Sends a page; its interval applies to all pages of this sender, and `results` is called with
    /// a batch at least every 250 ms.
    package func send(
        _ page: PushPage, handing results: @Sendable ([PushResult]) async -> Void
    ) async {
        await lane.send(page, handing: results)
    }
}

extension HubPushSender: CustomStringConvertible, CustomReflectable {
    package var description: String { "HubPushSender(\(encoder.address))" }

    package var customMirror: Mirror { Mirror(self, children: ["address": encoder.address]) }
}

/// Shows the requests that a ``HubPushSender`` would make; an unknown hub is shown as `<hub>`.
package struct HubPushDescriber: PushDescriber {
    private let encoder: SendEncoder

    package init(
        endpoint: HubEndpoint?, hubName: HubName?,
        userAgent: String = HubClientSettings.defaultUserAgent
    ) {
        encoder = SendEncoder(endpoint: endpoint, hubName: hubName, userAgent: userAgent)
    }

    init(encoder: SendEncoder) {
        self.encoder = encoder
    }

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
