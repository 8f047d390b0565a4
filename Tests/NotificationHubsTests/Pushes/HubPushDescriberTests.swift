import CampaignCore
import TestSupport
import Testing

@testable import NotificationHubs

@Suite(.bounded) struct HubPushDescriberTests {
    private func page() throws -> PushPage {
        PushPage(
            platform: .wns, contentType: "application/octet-stream",
            headers: [PushHeader("X-WNS-Type", "wns/raw"), PushHeader("X-WNS-TTL", "60")],
            pushes: [
                Push(
                    number: 1, usernames: [try Username("alice"), try Username("bob")],
                    body: Array("abc".utf8))
            ], interval: nil)
    }

    @Test("The request that is described is the one that is sent")
    func requestThatIsDescribedIsTheOneThatIsSent() async throws {
        let page = try page()
        try await ScriptedHub.with(script: { _, _ in .accepted }) { hub in
            let described = try await NotificationHubClient.with(hub.connectionString()) { client in
                let sender = HubPushSender(client: client)
                await sender.send(page) { _ in }
                return try #require(sender.describe(page))
            }

            let sent = try #require(hub.record.requests.first)
            let open = ["TrackingId", "Authorization"]
            #expect(described.method == sent.method)
            #expect(described.url == "http://127.0.0.1:\(hub.port)\(sent.uri)")
            #expect(described.body == sent.body)
            #expect(
                described.headers.map { $0.name.lowercased() }
                    == sent.headers.map { $0.name.lowercased() })
            for header in described.headers where !open.contains(header.name) {
                #expect(sent[header.name] == header.value)
            }
            #expect(sent["ServiceBusNotification-Tags"] == "username:alice||username:bob")
        }
    }

    @Test("A description hides the signature and its parts")
    func descriptionHidesTheSignatureAndItsParts() throws {
        let endpoint = try HubEndpoint(parsing: "sb://contoso.example/")
        let request = try #require(
            HubPushDescriber(endpoint: endpoint, hubName: HubName("news")).describe(page()))

        #expect(request.url == "https://contoso.example/news/messages/?api-version=2020-06")
        #expect(
            request.headers.first { $0.name == "Authorization" }?.value
                == "SharedAccessSignature sr=(hidden)&sig=(hidden)&se=(hidden)&skn=(hidden)")
    }

    @Test("An unknown hub is shown as unknown") func unknownHubIsShownAsUnknown() throws {
        let request = try #require(HubPushDescriber(endpoint: nil, hubName: nil).describe(page()))

        #expect(request.url == "https://<hub>/messages/?api-version=2020-06")
        #expect(request.headers.first { $0.name == "Host" }?.value == "<hub>")
    }

    @Test("An empty page has no request to describe") func emptyPageHasNoRequestToDescribe() throws
    {
        var page = try page()
        page.pushes = []

        #expect(HubPushDescriber(endpoint: nil, hubName: nil).describe(page) == nil)
    }
}
