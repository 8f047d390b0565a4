import CampaignCore
import Delivery
import Foundation
import TestSupport
import Testing

@testable import App

/// Saves plans of real files, and checks them after one change.
@Suite(.bounded) struct PlanCheckTests {
    private let fixture: PlanFixture

    init() throws {
        fixture = try PlanFixture()
    }

    @Test("An unchanged campaign matches its plan")
    func unchangedCampaignMatchesItsPlan() async throws {
        try await fixture.save()
        #expect(try await fixture.check() == nil)
    }

    @Test("A plan does not depend on comments or the order of rows")
    func planDoesNotDependOnCommentsOrTheOrderOfRows() async throws {
        try await fixture.save()
        try fixture.replace(
            "alice,Alice\nbob,Bob\n", with: "bob,Bob\nalice,Alice\n", in: "people.csv")
        try fixture.replace(
            "campaign: spring", with: "# Reviewed.\ncampaign: spring", in: "spring.yaml")
        #expect(try await fixture.check() == nil)
    }

    @Test("Listing a person twice is not a change")
    func listingAPersonTwiceIsNotAChange() async throws {
        try await fixture.save()
        try fixture.replace("bob,Bob\n", with: "bob,Bob\nbob,Bob\n", in: "people.csv")
        #expect(try await fixture.check() == nil)
    }

    /// One case for each kind of change: the file, the edit, and the line that reports it.
    private static let changes: [(file: String, text: String, other: String, line: String)] = [
        (
            "spring.yaml", "500/s", "400/s",
            "  `delivery.rate` was changed\n      - line 1 of the plan\n      + 400/s\n"
        ),
        ("spring.yaml", "Hi {{name}}", "Hello {{name}}", "      + Hello {{name}}!\n"),
        ("spring.yaml", "[apns, fcm]", "[apns]", "  `platforms` was changed\n"),
        (
            "spring.yaml", "type: text", "type: text\n  private_message: true",
            "  `payload.private_message` is new\n"
        ),
        ("spring.yaml", "delivery: { rate: 500/s }", "", "  `delivery.rate` was removed\n"),
        (
            "spring.yaml", "[apns, fcm]", "[fcm, apns]",
            "  `platforms` has the same lines in a different order, which matters\n"
        ),
        (
            "hubsend.yaml", "[shop]", "[shop, myapp]",
            "  `limits.url_schemes` was changed\n      + myapp\n"
        ),
        (
            "hubsend.yaml", "concurrency: 8", "concurrency: 9",
            "  `delivery.concurrency` was changed\n      - line 1 of the plan\n      + 9\n"
        ),
        (
            "hubsend.yaml", "[all-out.txt]", "[all-out2.txt]",
            "  `audience.exclude[1].files` was changed\n      - line 1 of the plan\n      + all-out2.txt\n"
        ),
        (
            "spring.yaml", "[out.txt]", "[out2.txt]",
            "  `audience.exclude.files` was changed\n      - line 1 of the plan\n      + out2.txt\n"
        ),
        (
            "news.txt", "Read it.", "Read it now.",
            "  payload file news.txt: 28 bytes instead of 24\n      - line 2 of the plan\n      + line 2\n"
        ),
        ("people.csv", "carol,Carol\n", "", "  audience: 1 person fewer (2 instead of 3)\n"),
        (
            "people.csv", "carol,Carol\n", "carol,Carol\ndave,Dave\n",
            "  audience: 1 person more (4 instead of 3)\n"
        ),
        (
            "people.csv", "carol,Carol\n", "dave,Carol\n",
            "  audience: the same number of people as planned, but different people\n"
        ),
        (
            "people.csv", "bob,Bob\n", "bob,Robert\n",
            "  audience: the same people, but some have different values or languages\n"
        ),
    ]

    @Test(
        "If the campaign has changed, its plan is refused and the change is described",
        arguments: changes)
    func ifTheCampaignHasChangedItsPlanIsRefusedAndTheChangeIs(
        file: String, text: String, other: String, line: String
    ) async throws {
        try await fixture.save()
        try fixture.replace(text, with: other, in: file)
        let changed = try #require(try await fixture.check())
        #expect(changed.details.contains(line), "\(changed.details)")
        let told = changed.details.split(separator: "\n").filter { $0.hasPrefix("  `") }
        #expect(Set(told).count == told.count, "\(changed.details)")
        #expect(changed.description.contains("so nothing was sent"))
        #expect(changed.details.contains("hubsend preview "))
    }

    @Test("A run that is continued with its plan needs none of its files")
    func runThatIsContinuedWithItsPlanNeedsNoneOfItsFiles() async throws {
        try await fixture.save()
        for file in ["people.csv", "out.txt", "news.txt"] {
            try FileManager.default.removeItem(atPath: fixture.folder.file(file))
        }
        let begun = RunID(checked: "20261201T080000Z-aaaaaa")
        #expect(try await fixture.check(continuing: begun) == nil)
        // Even then, the campaign file itself is compared.
        try fixture.replace("500/s", with: "400/s", in: "spring.yaml")
        let changed = try #require(try await fixture.check(continuing: begun))
        #expect(changed.details.contains("`delivery.rate` was changed"))
        #expect(!changed.details.contains("news.txt"), "\(changed.details)")
    }

    @Test("A plan for another campaign is refused without listing other differences")
    func planForAnotherCampaignIsRefusedWithoutListingOther() async throws {
        try await fixture.save()
        try fixture.replace("campaign: spring", with: "campaign: summer", in: "spring.yaml")
        try fixture.replace("Hi {{name}}", with: "Hello {{name}}", in: "spring.yaml")
        let changed = try #require(try await fixture.check())
        #expect(
            changed.description.hasSuffix(
                "cannot be used: it is for campaign spring, but this file defines campaign summer; nothing was sent."
            ), "\(changed.description)")
        #expect(changed.details.isEmpty)
    }

    /// The advice if only the kind of send differs from the plan.
    private static func advice(for mode: RunRequest.Mode) -> String {
        "To send what was planned, use"
            + (mode == .again ? " --again\n" : " neither --again nor --occurrence\n")
    }

    /// The plan was approved, so the message must not advise saving a new one.
    @Test("If only the kind of send differs, the right options are suggested")
    func ifOnlyTheKindOfSendDiffersTheRightOptionsAreSuggested() async throws {
        for mode in [RunRequest.Mode.occurrence(.once), .again] {
            try await fixture.save(mode)
            let other = mode == .again ? RunRequest.Mode.occurrence(.once) : .again
            let changed = try #require(try await fixture.check(other))
            #expect(changed.details.hasSuffix(Self.advice(for: mode)), "\(changed.details)")
            #expect(!changed.details.contains("--save"), "\(changed.details)")
        }
        // After other changes, the campaign has to be reviewed again.
        try fixture.replace("500/s", with: "400/s", in: "spring.yaml")
        let changed = try await fixture.check(.occurrence(.once))
        #expect(changed?.details.contains(" --save ") == true)
    }

    @Test("A finished run matches only a plan for the same kind of send")
    func finishedRunMatchesOnlyAPlanForTheSameKindOfSend() async throws {
        for mode in [RunRequest.Mode.occurrence(.once), .again] {
            try await fixture.save(mode)
            let plan = try fixture.plan()
            try plan.requireSending(mode)
            let other = mode == .again ? RunRequest.Mode.occurrence(.once) : .again
            for asked in [other, .followUp([.failed]), .occurrence(Occurrence(checked: "may"))] {
                let changed = #expect(throws: Refused.self) { try plan.requireSending(asked) }
                #expect(changed?.details == Self.advice(for: mode))
            }
        }
    }

    @Test("A plan for another hub is refused") func planForAnotherHubIsRefused() async throws {
        try await fixture.save()
        let changed = try await fixture.check(at: HubIdentity(host: "contoso", name: "app"))
        #expect(changed?.details.contains("for hub local/hub, not for contoso/app") == true)
    }

    @Test("A plan for another occurrence of the campaign is refused")
    func planForAnotherOccurrenceOfTheCampaignIsRefused() async throws {
        try await fixture.save(.occurrence(Occurrence(checked: "may")))
        #expect(try await fixture.check(.occurrence(Occurrence(checked: "may"))) == nil)
        let changed = try await fixture.check(.occurrence(Occurrence(checked: "june")))
        #expect(
            changed?.details.contains("the occurrence may, not for the occurrence june")
                == true)
        #expect(changed?.details.hasSuffix(", use --occurrence may\n") == true)
        try fixture.replace("500/s", with: "400/s", in: "spring.yaml")
        let both = try await fixture.check(.occurrence(Occurrence(checked: "june")))
        #expect(both?.details.hasSuffix(" --occurrence june\n") == true)
    }

    @Test("A plan from another version is refused")
    func planFromAnotherVersionIsRefused() async throws {
        try await fixture.save()
        let changed = try await fixture.check(version: "1.1.0")
        #expect(
            changed?.details.contains("the plan was made by hubsend 1.0.0, but this is 1.1.0")
                == true)
    }

    @Test("A plan that is too old is refused") func planThatIsTooOldIsRefused() async throws {
        try await fixture.save(longestAge: .seconds(3_600))
        #expect(try await fixture.check(later: 3_500) == nil)
        let changed = try await fixture.check(later: 3_700)
        #expect(changed?.details.contains("was valid for 1 h") == true)
    }

    @Test("A plan's run continues if people have changed, but not if the campaign has")
    func plansRunContinuesIfPeopleHaveChangedButNotIfTheCampaignHas() async throws {
        try await fixture.save()
        try fixture.replace("carol,Carol\n", with: "", in: "people.csv")
        let run = RunID(checked: "20261201T090000Z-k3v7qa")
        #expect(try await fixture.check(later: 30 * 86_400, continuing: run) == nil)
        try fixture.replace("500/s", with: "400/s", in: "spring.yaml")
        let changed = try #require(try await fixture.check(continuing: run))
        // A new plan would not continue the run.
        #expect(!changed.details.contains("--save"), "\(changed.details)")
        #expect(
            changed.details.contains(
                "Undo the changes, or continue the run as it was staged: hubsend resume \(run)"
            ), "\(changed.details)")
    }

    @Test("A plan contains no names and no text") func planContainsNoNamesAndNoText() async throws {
        try await fixture.save()
        let text = try String(contentsOfFile: fixture.folder.file("a.plan"), encoding: .utf8)
        for word in ["alice", "Alice", "carol", "Hi ", "There is news"] {
            #expect(!text.contains(word), "\(word)")
        }
        #expect(try fixture.folder.mode("a.plan") == 0o600)
    }

    @Test("Two plans have no checksums in common") func twoPlansHaveNoChecksumsInCommon()
        async throws
    {
        let first = try await fixture.save(to: "a.plan")
        let second = try await fixture.save(to: "b.plan")
        #expect(first != second)
        let digests = try ["a.plan", "b.plan"].map { name in
            let text = try String(contentsOfFile: fixture.folder.file(name), encoding: .utf8)
            return Set(text.matches(of: /"([0-9a-f]{16,64})"/).map { String($0.1) })
        }
        #expect(digests[0].count > 10)
        #expect(digests[0].isDisjoint(with: digests[1]))
    }

    @Test("A plan never replaces a file that is not a plan")
    func planNeverReplacesAFileThatIsNotAPlan() async throws {
        await #expect(throws: Refused.self) { try await fixture.save(to: "spring.yaml") }
        #expect(try await fixture.save(to: "a.plan").text.count == PlanID.length)
        try await fixture.save(to: "a.plan")
        #expect(try await fixture.check() == nil)
    }

    @Test("A plan is not saved in a missing folder")
    func planIsNotSavedInAMissingFolder() async throws {
        let fault = await #expect(throws: Refused.self) {
            try await fixture.save(to: "plnas/a.plan")
        }
        let folder = fixture.folder.file("plnas")
        #expect(
            fault?.description.hasSuffix(
                "there is no folder \(folder); create it, or name another folder.")
                == true, "\(String(describing: fault))")
        #expect(try !fixture.folder.contents().contains("plnas"))
    }

    @Test("The command to send a plan is shown only if it would send something")
    func commandToSendAPlanIsShownOnlyIfItWouldSendSomething() async throws {
        let begin = try await fixture.sentence(now: PreviewOutlook(action: .begin), sends: true)
        #expect(begin.contains("To send exactly this: hubsend run "), "\(begin)")
        let unknown = PreviewOutlook.unknown(because: .noHub)
        #expect(try await fixture.sentence(now: unknown, sends: true).contains(" --plan "))
        let cases: [(PreviewOutlook.Action, String)] = [
            (.begin, "nobody would get a push."), (.nothing, "its run is finished."),
            (.proceed, "its run is not finished and was started without this plan."),
            (.refuse, "its run is not finished and was started without this plan."),
        ]
        for (action, why) in cases {
            let sentence = try await fixture.sentence(
                now: PreviewOutlook(action: action), sends: action == .proceed)
            #expect(
                sentence.hasSuffix("It would send nothing now: " + why), "\(sentence)")
        }
    }

    @Test("A plan cannot be saved for a rehearsal") func planCannotBeSavedForARehearsal()
        async throws
    {
        await #expect(throws: Refused.self) { try await fixture.save(.rehearsal) }
        #expect(try !fixture.folder.contents().contains("a.plan"))
    }
}
