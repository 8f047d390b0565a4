import FoundationEssentials
import TestSupport
import Testing

@testable import NotificationHubs

@Suite(.bounded) struct TelemetryTests {
    private static let namespaces =
        "xmlns=\"http://schemas.microsoft.com/netservices/2010/10/servicebus/connect\" "
        + "xmlns:i=\"http://www.w3.org/2001/XMLSchema-instance\""

    private func with<Value>(
        _ answer: ScriptedAnswer, requestTimeout: Duration = .seconds(120),
        _ use: (NotificationHubClient) async throws -> Value
    ) async throws -> (requests: [ReceivedRequest], value: Value) {
        try await ScriptedHub.with(script: { _, _ in answer }) { hub in
            let value = try await NotificationHubClient.with(
                hub.connectionString(), requestTimeout: requestTimeout, use)
            return (hub.record.requests, value)
        }
    }

    private func testSend(_ client: NotificationHubClient) async throws -> NotificationOutcome {
        try await client.testSend(.silent(), to: TagExpression(Tag("tester")))
    }

    @Test("A test send has a result for each device")
    func testSendHasAResultForEachDevice() async throws {
        let body =
            "<NotificationOutcome \(Self.namespaces)><Success>1</Success><Failure>1</Failure>"
            + "<Results><RegistrationResult><ApplicationPlatform>apple</ApplicationPlatform>"
            + "<PnsHandle>AB</PnsHandle><RegistrationId>1-2-3</RegistrationId>"
            + "<Outcome>It was sent</Outcome></RegistrationResult>"
            + "<RegistrationResult><Outcome>WrongToken</Outcome></RegistrationResult></Results>"
            + "</NotificationOutcome>"
        let told = try await with(.status(201, [("TrackingId", "t-1")], body: body), testSend)

        let request = try #require(told.requests.first)
        #expect(request.method == "POST")
        #expect(request.uri == "/news/messages?api-version=2020-06&test")
        #expect(request["ServiceBusNotification-Tags"] == "tester")
        #expect(told.value.success == 1)
        #expect(told.value.failure == 1)
        #expect(told.value.state == .detailedStateAvailable)
        #expect(told.value.trackingID == "t-1")
        try #require(told.value.results.count == 2)
        let first = told.value.results[0]
        #expect(first.platform == "apple")
        #expect(first.handle == "AB")
        #expect(first.registrationID == "1-2-3")
        #expect(first.outcome == "It was sent")
        #expect(told.value.results[1].outcome == "WrongToken")
        #expect(told.value.results[1].handle == nil)
    }

    @Test("A test send without recipients has no results")
    func testSendWithoutRecipientsHasNoResults() async throws {
        let body =
            "<NotificationOutcome \(Self.namespaces)><Success>0</Success><Failure>0</Failure>"
            + "<Results i:nil=\"true\"/></NotificationOutcome>"

        #expect(try await with(.status(200, body: body), testSend).value.results.isEmpty)
    }

    @Test(
        "A test send without an outcome may have been delivered",
        arguments: [
            "", "{}", "<NotificationOutcome>", "<Other/>", "<NotificationOutcome/>",
            "<NotificationOutcome><Success>-1</Success><Failure>0</Failure></NotificationOutcome>",
            "<!DOCTYPE a [<!ENTITY b 'bb'>]><NotificationOutcome><Success>&b;</Success></NotificationOutcome>",
        ])
    func testSendWithoutAnOutcomeMayHaveBeenDelivered(body: String) async throws {
        let told = try await with(.status(201, body: body)) { client in
            await #expect(throws: HubError.self) { try await testSend(client) }
        }

        #expect(told.value?.disposition == .unknown)
        #expect(told.value?.status == 201)
    }

    @Test("All details of a message are read") func allDetailsOfAMessageAreRead() async throws {
        let body =
            "<NotificationDetails \(Self.namespaces)><NotificationId>m-1</NotificationId>"
            + "<Location>sb://h/news/messages/m-1</Location><State>Completed</State>"
            + "<EnqueueTime>2026-01-01T00:00:00Z</EnqueueTime>"
            + "<StartTime>2026-01-01T00:00:01.1234567Z</StartTime><EndTime>soon</EndTime>"
            + "<NotificationBody>{&quot;a&quot;:1}</NotificationBody><Tags>a||b</Tags>"
            + "<TargetPlatforms>apple, fcmv1</TargetPlatforms>"
            + "<ApnsOutcomeCounts><Outcome><Name>Success</Name><Count>3</Count></Outcome>"
            + "<Outcome><Name>WrongToken</Name><Count>1</Count></Outcome></ApnsOutcomeCounts>"
            + "<PnsErrorDetailsUri>https://blob.example/e?sig=1</PnsErrorDetailsUri>"
            + "<FcmV1OutcomeCounts><Outcome><Name>Success</Name><Count>9</Count></Outcome>"
            + "<Outcome><Name>Bad</Name><Count>x</Count></Outcome></FcmV1OutcomeCounts>"
            + "<XyzOutcomeCounts/></NotificationDetails>"
        let told = try await with(.status(200, body: body)) {
            try await $0.notificationDetails(id: "m-1")
        }

        #expect(told.requests.first?.method == "GET")
        #expect(told.requests.first?.uri == "/news/messages/m-1?api-version=2020-06")
        let details = try #require(told.value)
        #expect(details.id == "m-1")
        #expect(details.state == .completed)
        #expect(details.enqueueTime == Date(timeIntervalSince1970: 1_767_225_600))
        #expect(details.startTime == Date(timeIntervalSince1970: 1_767_225_601))
        #expect(details.endTime == nil)
        #expect(details.body == #"{"a":1}"#)
        #expect(details.tags == "a||b")
        #expect(details.targetPlatforms == ["apple", "fcmv1"])
        #expect(details.count(of: "Success", on: .apple) == 3)
        #expect(details.count(of: "WrongToken", on: .apple) == 1)
        #expect(details.count(of: "Success", on: .fcmV1) == 9)
        #expect(details.count(of: "Bad", on: .fcmV1) == 0)
        #expect(details.pnsErrorDetailsURL == "https://blob.example/e?sig=1")
    }

    @Test("An unknown message state is preserved") func unknownMessageStateIsPreserved()
        async throws
    {
        let body =
            "<NotificationDetails><NotificationId>m</NotificationId><State>Dreaming</State>"
            + "</NotificationDetails>"
        let told = try await with(.status(200, body: body)) {
            try await $0.notificationDetails(id: "m")
        }

        #expect(told.value?.state.rawValue == "Dreaming")
    }

    @Test("A message unknown to the hub has no details")
    func messageUnknownToTheHubHasNoDetails() async throws {
        let told = try await with(.status(404)) { try await $0.notificationDetails(id: "m") }

        #expect(told.value == nil)
    }

    @Test("The feedback URL is returned but never visited")
    func feedbackURLIsReturnedButNeverVisited() async throws {
        try await ScriptedHub.with(script: { _, _ in .accepted }) { elsewhere in
            let address = "http://127.0.0.1:\(elsewhere.port)/container?sig=a%2Bb"
            let told = try await with(.status(200, body: "\(address)\r\n")) {
                try await $0.feedbackContainerURL()
            }

            #expect(told.requests.first?.uri == "/news/feedbackcontainer?api-version=2020-06")
            #expect(told.value.absoluteString == address)
            #expect(elsewhere.record.connections == 0)
        }
    }

    @Test(
        "A feedback response that is not a URL causes an error",
        arguments: ["", "container", "file:///etc/passwd", "https://", "<html/>"])
    func feedbackResponseThatIsNotAURLCausesAnError(body: String) async throws {
        let told = try await with(.status(200, body: body)) { client in
            await #expect(throws: HubError.self) { try await client.feedbackContainerURL() }
        }

        #expect(told.value?.disposition == .stop(.notAHub))
    }
}
