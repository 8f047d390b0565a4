import CampaignCore
import Delivery
import Foundation
import TestSupport
import Testing

@testable import App

/// Plans of real files, checked after one change.
@Suite(.bounded) struct PlanCheckTests {
    private let place: PlanPlace

    init() throws {
        place = try PlanPlace()
    }

    @Test func whatWasNotChangedIsAsPlanned() async throws {
        try await place.save()
        #expect(try await place.check() == nil)
    }

    @Test func neitherTheOrderOfRowsNorCommentsCount() async throws {
        try await place.save()
        try place.replace(
            "alice,Alice\nbob,Bob\n", with: "bob,Bob\nalice,Alice\n", in: "people.csv")
        try place.replace(
            "campaign: spring", with: "# Reviewed.\ncampaign: spring", in: "spring.yaml")
        #expect(try await place.check() == nil)
    }

    @Test func whoIsNamedTwiceIsNoChange() async throws {
        try await place.save()
        try place.replace("bob,Bob\n", with: "bob,Bob\nbob,Bob\n", in: "people.csv")
        #expect(try await place.check() == nil)
    }

    /// One for each kind of change: the file, the edit, and the line that reports it.
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
        ("spring.yaml", "delivery: { rate: 500/s }", "", "  `delivery.rate` is gone\n"),
        (
            "spring.yaml", "[apns, fcm]", "[fcm, apns]",
            "  `platforms` has the same lines in another order, which counts\n"
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
            "  audience: as many people as planned, but not the same ones\n"
        ),
        (
            "people.csv", "bob,Bob\n", "bob,Robert\n",
            "  audience: the same people, but some with other values or languages\n"
        ),
    ]

    @Test(arguments: changes)
    func whatWasChangedIsRefusedAndNamed(
        file: String, text: String, other: String, line: String
    ) async throws {
        try await place.save()
        try place.replace(text, with: other, in: file)
        let changed = try #require(try await place.check())
        #expect(changed.details.contains(line), "\(changed.details)")
        let told = changed.details.split(separator: "\n").filter { $0.hasPrefix("  `") }
        #expect(Set(told).count == told.count, "\(changed.details)")
        #expect(changed.description.contains("so nothing was sent"))
        #expect(changed.details.contains("hubsend preview "))
    }

    @Test func aRunThatGoesOnByItsPlanNeedsNoneOfTheFiles() async throws {
        try await place.save()
        for file in ["people.csv", "out.txt", "news.txt"] {
            try FileManager.default.removeItem(atPath: place.folder.file(file))
        }
        let begun = RunID(checked: "20261201T080000Z-aaaaaa")
        #expect(try await place.check(continuing: begun) == nil)
        // What the campaign itself says is compared nevertheless.
        try place.replace("500/s", with: "400/s", in: "spring.yaml")
        let changed = try #require(try await place.check(continuing: begun))
        #expect(changed.details.contains("`delivery.rate` was changed"))
        #expect(!changed.details.contains("news.txt"), "\(changed.details)")
    }

    @Test func aPlanOfAnotherCampaignIsRefusedAndNothingElseIsTold() async throws {
        try await place.save()
        try place.replace("campaign: spring", with: "campaign: summer", in: "spring.yaml")
        try place.replace("Hi {{name}}", with: "Hello {{name}}", in: "spring.yaml")
        let changed = try #require(try await place.check())
        #expect(
            changed.description.hasSuffix(
                "does not fit: it is for campaign spring, and this file is campaign summer; nothing was sent."
            ), "\(changed.description)")
        #expect(changed.details.isEmpty)
    }

    /// The advice when only the kind of sending differs from the plan.
    private static func advice(for mode: RunRequest.Mode) -> String {
        "To send what the plan has, give"
            + (mode == .again ? " --again\n" : " neither --again nor --occurrence\n")
    }

    /// They do not want a new plan in place of the one that was agreed on.
    @Test func whereOnlyTheSendingIsAnotherItsOptionsAreNamed() async throws {
        for mode in [RunRequest.Mode.occurrence(.once), .again] {
            try await place.save(mode)
            let other = mode == .again ? RunRequest.Mode.occurrence(.once) : .again
            let changed = try #require(try await place.check(other))
            #expect(changed.details.hasSuffix(Self.advice(for: mode)), "\(changed.details)")
            #expect(!changed.details.contains("--save"), "\(changed.details)")
        }
        // Other changes have to be reviewed again.
        try place.replace("500/s", with: "400/s", in: "spring.yaml")
        let changed = try await place.check(.occurrence(.once))
        #expect(changed?.details.contains(" --save ") == true)
    }

    @Test func aFinishedSendingIsOnlyTakenForThePlannedOneWhenItWasAskedFor() async throws {
        for mode in [RunRequest.Mode.occurrence(.once), .again] {
            try await place.save(mode)
            let plan = try place.plan()
            try plan.requireSending(mode)
            let other = mode == .again ? RunRequest.Mode.occurrence(.once) : .again
            for asked in [other, .rest([.failed]), .occurrence(Occurrence(checked: "may"))] {
                let changed = #expect(throws: Refused.self) { try plan.requireSending(asked) }
                #expect(changed?.details == Self.advice(for: mode))
            }
        }
    }

    @Test func aPlanForAnotherHubIsRefused() async throws {
        try await place.save()
        let changed = try await place.check(at: HubIdentity(host: "contoso", name: "app"))
        #expect(changed?.details.contains("for hub local/hub, and not for contoso/app") == true)
    }

    @Test func aPlanForAnotherOccurrenceIsRefused() async throws {
        try await place.save(.occurrence(Occurrence(checked: "may")))
        #expect(try await place.check(.occurrence(Occurrence(checked: "may"))) == nil)
        let changed = try await place.check(.occurrence(Occurrence(checked: "june")))
        #expect(
            changed?.details.contains("the occurrence may, and not for the occurrence june")
                == true)
        #expect(changed?.details.hasSuffix(", give --occurrence may\n") == true)
        try place.replace("500/s", with: "400/s", in: "spring.yaml")
        let both = try await place.check(.occurrence(Occurrence(checked: "june")))
        #expect(both?.details.hasSuffix(" --occurrence june\n") == true)
    }

    @Test func aPlanOfAnotherVersionIsRefused() async throws {
        try await place.save()
        let changed = try await place.check(version: "1.1.0")
        #expect(changed?.details.contains("hubsend 1.0.0 made the plan, and this is 1.1.0") == true)
    }

    @Test func aPlanThatIsTooOldIsRefused() async throws {
        try await place.save(longestAge: .seconds(3_600))
        #expect(try await place.check(later: 3_500) == nil)
        let changed = try await place.check(later: 3_700)
        #expect(changed?.details.contains("is for 1 h only") == true)
    }

    @Test func aRunThatHasBegunByItDependsOnTheFilesButNotOnPeopleOrAge() async throws {
        try await place.save()
        try place.replace("carol,Carol\n", with: "", in: "people.csv")
        let run = RunID(checked: "20261201T090000Z-k3v7qa")
        #expect(try await place.check(later: 30 * 86_400, continuing: run) == nil)
        try place.replace("500/s", with: "400/s", in: "spring.yaml")
        let changed = try #require(try await place.check(continuing: run))
        // A new plan would not continue it.
        #expect(!changed.details.contains("--save"), "\(changed.details)")
        #expect(
            changed.details.contains(
                "Put back what was changed, or continue what was staged with: hubsend resume \(run)"
            ), "\(changed.details)")
    }

    @Test func aPlanHoldsNobodysNameAndNoText() async throws {
        try await place.save()
        let text = try String(contentsOfFile: place.folder.file("a.plan"), encoding: .utf8)
        for word in ["alice", "Alice", "carol", "Hi ", "There is news"] {
            #expect(!text.contains(word), "\(word)")
        }
        #expect(try place.folder.mode("a.plan") == 0o600)
    }

    @Test func noTwoPlansHaveADigestInCommon() async throws {
        let first = try await place.save(to: "a.plan")
        let second = try await place.save(to: "b.plan")
        #expect(first != second)
        let digests = try ["a.plan", "b.plan"].map { name in
            let text = try String(contentsOfFile: place.folder.file(name), encoding: .utf8)
            return Set(text.matches(of: /"([0-9a-f]{16,64})"/).map { String($0.1) })
        }
        #expect(digests[0].count > 10)
        #expect(digests[0].isDisjoint(with: digests[1]))
    }

    @Test func aSlipDoesNotReplaceAnotherFileByAPlan() async throws {
        await #expect(throws: Refused.self) { try await place.save(to: "spring.yaml") }
        #expect(try await place.save(to: "a.plan").text.count == PlanID.length)
        // A plan is replaced by a newer one.
        try await place.save(to: "a.plan")
        #expect(try await place.check() == nil)
    }

    @Test func aFolderThatIsNotThereIsASlipAndIsNotMade() async throws {
        let fault = await #expect(throws: Refused.self) {
            try await place.save(to: "plnas/a.plan")
        }
        let folder = place.folder.file("plnas")
        #expect(
            fault?.description.hasSuffix("there is no folder \(folder); make it, or name another.")
                == true, "\(String(describing: fault))")
        #expect(try !place.folder.contents().contains("plnas"))
    }

    @Test func howToSendAPlanIsSaidOnlyWhereItCanBeSent() async throws {
        let begin = try await place.sentence(now: PreviewOutlook(action: .begin), sends: true)
        #expect(begin.contains("To send exactly this: hubsend run "), "\(begin)")
        let unknown = PreviewOutlook.unknown(because: .noHub)
        #expect(try await place.sentence(now: unknown, sends: true).contains(" --plan "))
        let cases: [(PreviewOutlook.Action, String)] = [
            (.begin, "nobody would get a push."), (.nothing, "its run is finished."),
            (.proceed, "its run is not finished, and was begun without it."),
            (.refuse, "its run is not finished, and was begun without it."),
        ]
        for (action, why) in cases {
            let sentence = try await place.sentence(
                now: PreviewOutlook(action: action), sends: action == .proceed)
            #expect(
                sentence.hasSuffix("By it nothing would be sent now: " + why), "\(sentence)")
        }
    }

    @Test func aPlanOfARehearsalIsNotSaved() async throws {
        await #expect(throws: Refused.self) { try await place.save(.rehearsal) }
        #expect(try !place.folder.contents().contains("a.plan"))
    }
}
