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

    @Test func theServicesWordsAreKeptTheGoodOneFirst() async throws {
        let one = details(state: "Completed", counts: counts("Apns", ["Success": 1]))
        #expect(try await fate(one) == .success(.ended("Success")))
        let several = details(
            state: "Completed", counts: counts("Apns", ["BadChannel": 1, "Success": 2]))
        #expect(try await fate(several) == .success(.ended("Success 2, BadChannel")))
    }

    @Test func aServiceUnderTwoNamesCountsOnce() async throws {
        let twice = counts("Gcm", ["Success": 1]) + counts("FcmV1", ["Success": 1])
        #expect(
            try await fate(details(state: "Completed", counts: twice))
                == .success(.ended("Success")))
    }

    @Test(arguments: ["NoTargetFound", "Abandoned", "Completed"])
    func withoutCountsTheHubsOwnWordIsKept(state: String) async throws {
        #expect(try await fate(details(state: state)) == .success(.ended(state)))
    }

    @Test(arguments: ["Enqueued", "Processing", "Unknown", "Scheduled"])
    func whatIsNotOverIsUnknown(state: String) async throws {
        #expect(try await fate(details(state: state)) == .success(.unknown))
    }

    @Test func aMessageThatTheHubDoesNotKnowIsUnknown() async throws {
        #expect(try await fate(.status(404)) == .success(.unknown))
    }

    @Test func aMessageForSeveralPeopleTellsNothingOfOne() async throws {
        let shared = details(
            state: "Completed", tags: "username:alice || username:bob",
            counts: counts("Apns", ["Success": 2]))
        #expect(try await fate(shared) == .success(.shared))
    }

    @Test func aTierThatTellsNothingIsSaidSo() async throws {
        guard case .failure(.credentials(let text)) = try await fate(.status(403)) else {
            Issue.record("a hub of another tier told something")
            return
        }
        #expect(text.contains("only in the Standard tier"))
    }
}
