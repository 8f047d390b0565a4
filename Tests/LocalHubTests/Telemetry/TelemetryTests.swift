import HTTPTypes
import TestServing
import TestSupport
import Testing

@testable import LocalHub

@Suite(.bounded) struct TelemetryTests {
    private static let opening =
        "<NotificationDetails xmlns=\"http://schemas.microsoft.com/netservices/2010/10/servicebus/"
        + "connect\" xmlns:i=\"http://www.w3.org/2001/XMLSchema-instance\">"

    @Test("Telemetry elements are in the documented order")
    func telemetryElementsAreInTheDocumentedOrder() async throws {
        let devices = ["alice", "bob"].map { LocalHubDevice(user: $0, platform: .apns) }
        let hub = try HubUnderTest { $0.devices = devices }
        let tags = "username:alice||username:bob && !x"
        let sent = try await hub.send(#"{"aps":{},"text":"<a> & \"b\""}"#, tags: tags)
        let id = try #require(sent.locationID)
        let response = try await hub.telemetry(id)
        #expect(response.status == .ok)
        #expect(response.header("Content-Type") == "application/xml; charset=utf-8")
        #expect(
            response.text == Self.opening + "<NotificationId>\(id)</NotificationId>"
                + "<Location>sb://localhost/hubsend/messages/\(id)?api-version=2020-06</Location>"
                + "<State>Completed</State><EnqueueTime>2025-12-31T23:00:00Z</EnqueueTime>"
                + "<StartTime>2025-12-31T23:00:00Z</StartTime>"
                + "<EndTime>2025-12-31T23:00:00Z</EndTime>"
                + #"<NotificationBody>{"aps":{},"text":"&lt;a&gt; &amp; \"b\""}</NotificationBody>"#
                + "<Tags>username:alice||username:bob &amp;&amp; !x</Tags>"
                + "<TargetPlatforms>apple</TargetPlatforms>"
                + "<ApnsOutcomeCounts><Outcome><Name>Success</Name><Count>2</Count></Outcome>"
                + "</ApnsOutcomeCounts></NotificationDetails>")
    }

    @Test("Telemetry states advance with the clock")
    func telemetryStatesAdvanceWithTheClock() async throws {
        let clock = TestClock()
        let hub = try HubUnderTest {
            $0.now = { clock.now }
            $0.telemetryDelay = .seconds(30)
            $0.devices = [LocalHubDevice(user: "alice", platform: .apns)]
        }
        let id = try #require(try await hub.send().locationID)
        // The push arrives immediately; only telemetry is delayed.
        #expect(await hub.server.received(by: "alice").count == 1)
        let early = try await hub.telemetry(id)
        #expect(early.status == .notFound)
        #expect(early.text.contains("not been processed yet"))
        clock.advance(by: 10)
        let enqueued = try await hub.telemetry(id).text
        #expect(enqueued.contains("<State>Enqueued</State>"))
        #expect(!enqueued.contains("<StartTime>"))
        clock.advance(by: 10)
        let processing = try await hub.telemetry(id).text
        #expect(processing.contains("<State>Processing</State>"))
        #expect(processing.contains("<StartTime>2025-12-31T23:00:20Z</StartTime>"))
        #expect(!processing.contains("OutcomeCounts"))
        clock.advance(by: 9.9)
        #expect(try await hub.telemetry(id).text.contains("<State>Processing</State>"))
        clock.advance(by: 0.1)
        let completed = try await hub.telemetry(id).text
        #expect(completed.contains("<State>Completed</State>"))
        #expect(completed.contains("<EndTime>2025-12-31T23:00:30Z</EndTime>"))
        #expect(completed.contains("<Name>Success</Name>"))
    }

    @Test("Characters that XML cannot contain are replaced in telemetry")
    func charactersThatXMLCannotContainAreReplacedInTelemetry() async throws {
        let hub = try HubUnderTest()
        let response = try await hub.send(
            "a\u{0}\u{1B}]]>\u{FFFE}\r\nb", format: "windows",
            headers: ["X-WNS-Type": "wns/raw"])
        let text = try await hub.telemetry(try #require(response.locationID)).text
        #expect(
            text.contains(
                "<NotificationBody>a\u{FFFD}\u{FFFD}]]&gt;\u{FFFD}&#xD;\nb</NotificationBody>"))
    }

    @Test(
        "Telemetry and feedback each require their own right",
        arguments: [LocalHubRule.developmentListen, .developmentSend])
    func telemetryAndFeedbackEachRequireTheirOwnRight(rule: LocalHubRule) async throws {
        let hub = try HubUnderTest()
        let token = TestToken.make(rule)
        let telemetry = try await hub.request(.get, "/hubsend/messages/x", token: token)
        #expect(telemetry.status == (rule == .developmentSend ? .notFound : .forbidden))
        let feedback = try await hub.request(.get, "/hubsend/feedbackcontainer", token: token)
        #expect(feedback.status == .forbidden)
    }
}
