import CampaignCore
import SQLiteDriver
import Storage
import TestSupport
import Testing

@testable import App
@testable import Delivery

@Suite(.bounded) struct PreviewPeopleTests {
    private static let run = RunID(checked: "20261103T090000Z-abcdef")

    private let folder: TemporaryFolder
    private let store: SQLiteStore

    init() throws {
        folder = try TemporaryFolder()
        store = try SQLiteStore.open(at: folder.file("store.sqlite"))
    }

    /// The error for alice, who is not in the audience of bob and alica.
    private func sentence(
        rest outcomes: Set<Outcome>? = nil, rehearsal: Rehearsal? = nil, isPublic: Bool = false
    ) async throws -> String {
        let campaign = Campaign(
            name: "spring", description: nil, kind: .alert, platforms: [.apns],
            audience: AudienceRule(),
            payload: Payload(
                texts: Texts(message: LocalizedTemplate(try MessageTemplate("Hi"))), type: nil,
                content: nil, isMessagePrivate: false, expiresAfter: .seconds(60)),
            delivery: DeliveryPolicy(), fingerprints: [:])
        let plan = CampaignPlan(
            counts: AudienceCounts(named: 2, final: 2), problems: [], platforms: [], rate: nil)
        let planned = PlannedAudience(
            plan: plan, people: TwoPeople(),
            unreached: outcomes.map { UnreachedPeople(of: Self.run, outcomes: $0, in: store) })
        let people = PreviewPeople(
            campaign: campaign, planned: planned,
            options: PreviewOptions(rehearsal: rehearsal, people: [Username(checked: "alice")]),
            isMasked: false, isPublic: isPublic)
        let fault = await #expect(throws: Refused.self) { try await people.shown() }
        return try #require(fault).description
    }

    @Test("An unknown person is reported as not in the audience")
    func unknownPersonIsReportedAsNotInTheAudience() async throws {
        #expect(
            try await sentence()
                == "alice is not in the audience of campaign spring. Did you mean alica?")
    }

    @Test("A follow-up run's preview reports a missing delivery, not a missing person")
    func followUpRunsPreviewReportsAMissingDeliveryNotAMissingPerson() async throws {
        let said = try await sentence(rest: [.failed, .rejected])
        #expect(
            said
                == "alice has no delivery in run \(Self.run) that ended as rejected, failed, or is no longer in the "
                + "audience. Did you mean alica?")
        let hidden = try await sentence(rest: [.failed], isPublic: true)
        #expect(hidden.hasSuffix("ended as failed, or is no longer in the audience."))
    }

    @Test("A person outside the rehearsal is not called missing from the audience")
    func personOutsideTheRehearsalIsNotCalledMissingFromTheAudience() async throws {
        let rehearsal = Rehearsal(people: [Username(checked: "alica"), Username(checked: "bob")])
        #expect(
            try await sentence(rehearsal: rehearsal)
                == "alice is not in this rehearsal, which goes only to the people named after --to. Did you mean alica?"
        )
    }
}

/// An audience of alica and bob.
private struct TwoPeople: AudiencePages {
    func page(after number: Int, limit: Int) async throws -> [AudienceMember] {
        ["alica", "bob"].dropFirst(number).prefix(limit).map {
            AudienceMember(
                username: Username(checked: $0), origin: AudienceOrigin(file: 0, line: 1))
        }
    }
}
