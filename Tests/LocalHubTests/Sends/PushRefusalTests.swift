import Foundation
import HTTPTypes
import TestServing
import TestSupport
import Testing

@testable import LocalHub

@Suite(.bounded) struct PushRefusalTests {
    @Test("A push that APNs would refuse is accepted and explained")
    func pushThatAPNsWouldRefuseIsAcceptedAndExplained() async throws {
        let hub = try HubUnderTest { $0.devices = [LocalHubDevice(user: "alice", platform: .apns)] }
        let response = try await hub.send(
            headers: ["apns-push-type": "background", "apns-priority": "10"])
        #expect(response.status == .created)
        #expect(await hub.server.received(by: "alice").isEmpty)
        let refused = try #require(await hub.server.refused(for: "alice").first)
        let reason = "A push of type background must not have apns-priority 10; use 5."
        #expect(refused.outcome == .dropped)
        #expect(refused.reason == reason)
        let page = try await hub.request(.get, "/.hubsend/devices/alice", token: nil)
        #expect(page.text.contains("\"reason\" : \"\(reason)\""), "\(page.text)")
        let details = try await hub.telemetry(try #require(response.locationID))
        #expect(
            details.text.contains(
                "<ApnsOutcomeCounts><Outcome><Name>Dropped</Name><Count>1</Count></Outcome>"
                    + "</ApnsOutcomeCounts>"), "\(details.text)")
    }

    @Test(
        "A token that is not hexadecimal reaches no device",
        arguments: [
            ("apns", "{length = 32, bytes = 0x740f4707 ... 7a6c5b4a }", "BadChannel"),
            ("apns", "<740f4707 bebcf74f>", "BadChannel"), ("apns", "740f4707", "Success"),
            ("FCMV1", "{length = 32}", "Success"),
        ])
    func tokenThatIsNotHexadecimalReachesNoDevice(
        platform: String, handle: String, outcome: String
    ) async throws {
        let hub = try HubUnderTest()
        let installation =
            #"{"installationId":"i","platform":"\#(platform)","#
            + #""pushChannel":"\#(handle)","tags":["username:alice"]}"#
        let uri = "/hubsend/installations/i?api-version=2020-06"
        #expect(try await hub.request(.put, uri, body: installation).status == .ok)
        let format = platform == "apns" ? "apple" : "fcmv1"
        let body = platform == "apns" ? HubUnderTest.silent : #"{"message":{"data":{"a":"b"}}}"#
        let response = try await hub.send(body, format: format)
        let details = try await hub.telemetry(try #require(response.locationID))
        #expect(details.text.contains("<Name>\(outcome)</Name>"), "\(details.text)")
    }

    @Test("A delivered push is listed without a reason") func deliveredPushIsListedWithoutAReason()
        async throws
    {
        let hub = try HubUnderTest { $0.devices = [LocalHubDevice(user: "alice", platform: .apns)] }
        #expect(try await hub.send().status == .created)
        #expect(await hub.server.received(by: "alice").map(\.reason) == [nil])
        let page = try await hub.request(.get, "/.hubsend/devices/alice", token: nil)
        #expect(!page.text.contains("reason"))
    }
}
