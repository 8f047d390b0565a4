import HTTPTypes
import TestServing
import TestSupport
import Testing

@testable import LocalHub

@Suite(.bounded) struct TestSendTests {
    @Test("A refused test send reports its reason")
    func refusedTestSendReportsItsReason() async throws {
        let hub = try HubUnderTest { $0.devices = [LocalHubDevice(user: "alice", platform: .apns)] }
        let response = try await hub.send(
            headers: ["apns-push-type": "alert"], uri: "/hubsend/messages?test")
        #expect(response.text.contains("<Success>0</Success><Failure>1</Failure>"))
        #expect(response.text.contains("<Outcome>A push of type alert requires"))
    }

    @Test("A test send reaches at most ten devices")
    func testSendReachesAtMostTenDevices() async throws {
        let devices = (1...11).map { LocalHubDevice(user: "user\($0)", platform: .apns) }
        let hub = try HubUnderTest { $0.devices = devices }
        let response = try await hub.send(tags: nil, uri: "/hubsend/messages?test")
        #expect(response.text.contains("<Success>10</Success><Failure>0</Failure>"))
        #expect(hub.server.counts.arrived == 10)
    }

    @Test("The outcome for a wrong token has the documented text")
    func outcomeForAWrongTokenHasTheDocumentedText() {
        let target = PushTarget(
            device: DeviceAddress(platform: .apns, handle: "A<B"), registration: nil)
        let document = NotificationOutcomeDocument(results: [
            PushResult(target: target, refusal: .expiredAddress(on: .apns))
        ])
        #expect(
            document.xml.contains("<Outcome>The Token obtained from the Token Provider is wrong</"))
        #expect(document.xml.contains("<PnsHandle>A&lt;B</PnsHandle>"))
    }

    /// The .NET SDK sets both flags and reads the outcome.
    @Test("A direct test send returns its outcome")
    func directTestSendReturnsItsOutcome() async throws {
        let devices = [LocalHubDevice(user: "alice", platform: .apns, handle: "AB12")]
        let hub = try HubUnderTest { $0.devices = devices }
        let response = try await hub.send(
            tags: nil, headers: ["ServiceBusNotification-DeviceHandle": "ab12"],
            uri: "/hubsend/messages?test&direct")
        #expect(response.status == .created)
        #expect(response.text.contains("<Success>1</Success><Failure>0</Failure>"))
    }
}
