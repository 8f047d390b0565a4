import CampaignCore
import TestSupport
import Testing

@testable import NotificationHubs

@Suite(.bounded) struct HubTelemetryTests {
    private static let namespaces =
        "xmlns=\"http://schemas.microsoft.com/netservices/2010/10/servicebus/connect\""

    private func fate(
        _ answer: ScriptedAnswer
    ) async throws -> Result<MessageFate, HubInquiryFailure> {
        try await NotificationHubClient.with(answering: answer) { client, _ in
            do throws(HubInquiryFailure) {
                return .success(try await HubTelemetry(client: client).fate(of: "m-1"))
            } catch {
                return .failure(error)
            }
        }
    }

    private func details(state: String, tags: String = "username:alice", counts: String = "")
        -> ScriptedAnswer
    {
        .status(
            200,
            body:
                "<NotificationDetails \(Self.namespaces)><NotificationId>m-1</NotificationId><State>\(state)</State>"
                + "<Tags>\(tags)</Tags>\(counts)</NotificationDetails>")
    }

    private func counts(_ service: String, _ outcomes: KeyValuePairs<String, Int>) -> String {
        let rows = outcomes.map { "<Outcome><Name>\($0)</Name><Count>\($1)</Count></Outcome>" }
        return "<\(service)OutcomeCounts>\(rows.joined())</\(service)OutcomeCounts>"
    }

    @Test("Outcomes are named in the push service's words, with success first")
    func outcomesAreNamedInThePushServicesWordsWithSuccessFirst() async throws {
        let one = details(state: "Completed", counts: counts("Apns", ["Success": 1]))
        #expect(try await fate(one) == .success(.ended("Success")))
        let several = details(
            state: "Completed", counts: counts("Apns", ["BadChannel": 1, "Success": 2]))
        #expect(try await fate(several) == .success(.ended("Success 2, BadChannel")))
    }

    @Test("A push service listed under two names is counted once")
    func pushServiceListedUnderTwoNamesIsCountedOnce() async throws {
        let twice = counts("Gcm", ["Success": 1]) + counts("FcmV1", ["Success": 1])
        #expect(
            try await fate(details(state: "Completed", counts: twice))
                == .success(.ended("Success")))
    }

    @Test(
        "Without counts, the hub's state is used as the outcome",
        arguments: ["NoTargetFound", "Abandoned", "Completed"])
    func withoutCountsTheHubsStateIsUsedAsTheOutcome(state: String) async throws {
        #expect(try await fate(details(state: state)) == .success(.ended(state)))
    }

    @Test(
        "A message still being processed has an unknown outcome",
        arguments: ["Enqueued", "Processing", "Unknown", "Scheduled"])
    func messageStillBeingProcessedHasAnUnknownOutcome(state: String) async throws {
        #expect(try await fate(details(state: state)) == .success(.unknown))
    }

    @Test("A message unknown to the hub has an unknown outcome")
    func messageUnknownToTheHubHasAnUnknownOutcome() async throws {
        #expect(try await fate(.status(404)) == .success(.unknown))
    }

    @Test("A message for several people reveals no individual outcome")
    func messageForSeveralPeopleRevealsNoIndividualOutcome() async throws {
        let shared = details(
            state: "Completed", tags: "username:alice || username:bob",
            counts: counts("Apns", ["Success": 2]))
        #expect(try await fate(shared) == .success(.shared))
    }

    @Test("The error about a tier without telemetry explains it")
    func errorAboutATierWithoutTelemetryExplainsIt() async throws {
        guard case .failure(.credentials(let text)) = try await fate(.status(403)) else {
            Issue.record("a hub of another tier told something")
            return
        }
        #expect(text.contains("only in the Standard tier"))
    }
}
