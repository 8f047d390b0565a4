import CampaignCore
import Delivery
import TestSupport
import Testing

@Suite(.bounded) struct FallbackSurveyTests {
    private func campaign(
        _ message: String, own: String = "Hi", platforms: [Platform] = [.apns]
    ) throws -> Campaign {
        let plain = try TestBench.campaign(
            kind: .rich, platforms: platforms, message: own, type: "x")
        return Campaign(
            name: plain.name, description: nil, kind: plain.kind, platforms: plain.platforms,
            audience: plain.audience, payload: plain.payload,
            fallback: Fallback(after: .seconds(60), message: try MessageTemplate(message)),
            delivery: plain.delivery, fingerprints: plain.fingerprints)
    }

    private func person(_ name: String, _ values: String?...) -> AudienceMember {
        AudienceMember(
            username: Username(checked: name), values: values,
            origin: AudienceOrigin(file: 1, line: 1))
    }

    private func problems(
        of campaign: Campaign, _ people: [AudienceMember], for choice: PeopleChoice = .all
    ) async throws -> [AudienceProblem] {
        try await CampaignPlanner(ledger: nil).plan(
            campaign, audience: ListedAudience(named: people), sorter: TestBench.sorter(),
            for: choice, now: TestBench.start
        ).plan.problems
    }

    @Test("A fallback that can be sent causes no error")
    func fallbackThatCanBeSentCausesNoError() async throws {
        let people = [person("alice", "Alice")]
        #expect(try await problems(of: campaign("Look"), [person("alice")]).isEmpty)
        #expect(try await problems(of: campaign("Look, {{name}}"), people).isEmpty)
    }

    @Test("A person without a value for the fallback is reported")
    func personWithoutAValueForTheFallbackIsReported() async throws {
        let people = [person("alice", "A", "Rome"), person("bob", "B", nil)]
        let found = try await problems(of: campaign("From {{city}}", own: "Hi {{name}}"), people)
        #expect(found == [.inFallback(.missingVariable(name: "city", member: people[1]))])
        let without = try await problems(
            of: campaign("From {{city|here}}", own: "Hi {{name}}"), people)
        #expect(without.isEmpty)
    }

    @Test("A value that is missing for both message and fallback is reported once")
    func valueThatIsMissingForBothMessageAndFallbackIsReportedOnce() async throws {
        let bob = person("bob", nil)
        let found = try await problems(of: campaign("For {{name}}", own: "Hi {{name}}"), [bob])
        #expect(found == [.missingVariable(name: "name", member: bob)])
    }

    @Test("A fallback's body is measured like an alert's")
    func fallbacksBodyIsMeasuredLikeAnAlerts() async throws {
        let long = String(repeating: "x", count: 5_000)
        let found = try await problems(
            of: campaign(long, platforms: [.apns, .adm]), [person("alice")])
        guard case .inFallback(.bodyTooLarge(.apns, let bytes, 4_096, nil, nil)) = found.first
        else {
            Issue.record("\(found)")
            return
        }
        #expect(bytes > 5_000)
        #expect(found.count == 1)
        let personal = try await problems(
            of: campaign("{{name}}"), [person("alice", "A"), person("bob", long)])
        guard case .inFallback(.bodyTooLarge(.apns, _, _, nil, let member)) = personal.first else {
            Issue.record("\(personal)")
            return
        }
        #expect(member?.username.text == "bob")
    }

    @Test("A rehearsal has no fallback") func rehearsalHasNoFallback() async throws {
        let rehearsal = Rehearsal(people: [Username(checked: "alice")])
        let found = try await problems(
            of: campaign("From {{city}}"), [person("alice", nil)], for: .rehearsal(rehearsal))
        #expect(found.isEmpty)
    }
}
