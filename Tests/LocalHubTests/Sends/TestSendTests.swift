import HTTPTypes
import TestServing
import TestSupport
import Testing

@testable import LocalHub

@Suite(.bounded) struct TestSendTests {
    private static let opening =
        "<NotificationOutcome xmlns=\"http://schemas.microsoft.com/netservices/2010/10/servicebus/"
        + "connect\" xmlns:i=\"http://www.w3.org/2001/XMLSchema-instance\">"

    @Test(arguments: ["test", "test=true"])
    func theAnswerSaysWhatBecameOfEachPush(flag: String) async throws {
        var devices = [LocalHubDevice(user: "alice", platform: .apns, handle: "AB12")]
        devices.append(LocalHubDevice(user: "alice", platform: .apns, handle: "CD34"))
        try await HubUnderTest.run({ $0.devices = devices }) { hub in
            let response = try await hub.send(uri: "/hubsend/messages?api-version=2020-06&\(flag)")
            #expect(response.status == .created)
            let id = #/<RegistrationId>\d{19}-\d{19}-1</RegistrationId>/#
            let text = response.text.replacing(id, with: "<RegistrationId>ID</RegistrationId>")
            let sent = "The Notification was successfully sent to the Push Notification System"
            let results = ["AB12", "CD34"].map { handle in
                "<RegistrationResult><ApplicationPlatform>apple</ApplicationPlatform>"
                    + "<PnsHandle>\(handle)</PnsHandle><RegistrationId>ID</RegistrationId>"
                    + "<Outcome>\(sent)</Outcome></RegistrationResult>"
            }
            #expect(
                text == Self.opening + "<Success>2</Success><Failure>0</Failure><Results>"
                    + results.joined() + "</Results></NotificationOutcome>")
            #expect(await hub.server.received(by: "alice").count == 2)
        }
    }

    @Test func withoutTargetsTheResultsAreNil() async throws {
        try await HubUnderTest.run { hub in
            let response = try await hub.send(uri: "/hubsend/messages?test")
            #expect(response.status == .created)
            #expect(
                response.text == Self.opening + "<Success>0</Success><Failure>0</Failure>"
                    + "<Results i:nil=\"true\"/></NotificationOutcome>")
        }
    }

    @Test func aRefusedPushIsAFailureWithItsReason() async throws {
        try await HubUnderTest.run({ $0.devices = [LocalHubDevice(user: "alice", platform: .apns)] }
        ) { hub in
            let response = try await hub.send(
                headers: ["apns-push-type": "alert"], uri: "/hubsend/messages?test")
            #expect(response.text.contains("<Success>0</Success><Failure>1</Failure>"))
            #expect(response.text.contains("<Outcome>A push of type alert needs"))
        }
    }

    @Test func aTestSendReachesTenDevicesAtMost() async throws {
        let devices = (1...11).map { LocalHubDevice(user: "user\($0)", platform: .apns) }
        try await HubUnderTest.run({ $0.devices = devices }) { hub in
            let response = try await hub.send(tags: nil, uri: "/hubsend/messages?test")
            #expect(response.text.contains("<Success>10</Success><Failure>0</Failure>"))
            #expect(hub.server.counts.arrived == 10)
        }
    }

    @Test func aWrongTokenHasItsDocumentedText() {
        let target = PushTarget(
            device: DeviceAddress(platform: .apns, handle: "A<B"), registration: nil)
        let document = NotificationOutcomeDocument(results: [
            PushResult(target: target, refusal: .expiredAddress(on: .apns))
        ])
        #expect(
            document.xml.contains("<Outcome>The Token obtained from the Token Provider is wrong</"))
        #expect(document.xml.contains("<PnsHandle>A&lt;B</PnsHandle>"))
    }

    /// .NET sets both flags, and reads the outcome.
    @Test func aDirectTestSendIsAnsweredWithItsOutcome() async throws {
        let devices = [LocalHubDevice(user: "alice", platform: .apns, handle: "AB12")]
        try await HubUnderTest.run({ $0.devices = devices }) { hub in
            let response = try await hub.send(
                tags: nil, headers: ["ServiceBusNotification-DeviceHandle": "ab12"],
                uri: "/hubsend/messages?test&direct")
            #expect(response.status == .created)
            #expect(response.text.contains("<Success>1</Success><Failure>0</Failure>"))
        }
    }
}
