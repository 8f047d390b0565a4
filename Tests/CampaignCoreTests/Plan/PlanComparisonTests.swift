import CampaignCore
import FoundationEssentials
import TestSupport
import Testing

@Suite(.bounded) struct PlanComparisonTests {
    private static let made = Date(timeIntervalSince1970: 1_796_115_600)

    /// A plan for 10,000 people, with letters instead of checksums.
    private static func plan(_ change: (inout SavedPlan) -> Void = { _ in }) -> SavedPlan {
        var plan = SavedPlan(
            version: "1.0.0", made: made, campaign: "spring", sending: .occurrence(.once),
            hub: HubIdentity(host: "contoso.servicebus.windows.net", name: "app"), salt: [1, 2],
            campaignKeys: [
                DigestedKey(key: "kind", lines: ["k"]),
                DigestedKey(key: "payload.message", lines: ["a", "b", "c"]),
            ],
            configKeys: [DigestedKey(key: "limits.recipients", lines: ["l"])],
            payloadFile: DigestedFile(
                path: "offer.txt", mediaType: "text/plain", byteCount: 100, digest: "f",
                lines: ["x", "y"]),
            audience: AudienceDigest(
                counts: AudienceCounts(named: 10_000, final: 10_000),
                platforms: [.apns: 10_000, .fcm: 10_000], languages: ["de": 400, "default": 9_600],
                names: "n", values: "v"))
        change(&plan)
        return plan
    }

    private static func compare(
        _ now: SavedPlan, texts: [KeyText] = [], isBegun: Bool = false
    ) -> [PlanComparison.Change] {
        PlanComparison(
            of: plan(), with: now, texts: texts, isBegun: isBegun, showing: { "<\($0)>" }
        ).changes
    }

    @Test("An unchanged campaign does not differ from its plan")
    func unchangedCampaignDoesNotDifferFromItsPlan() {
        #expect(Self.compare(Self.plan()).isEmpty)
        // A name that is listed twice makes no difference.
        #expect(Self.compare(Self.plan { $0.audience.counts.duplicate = 3 }).isEmpty)
    }

    private static let changes: [(now: SavedPlan, sentence: String)] = [
        (
            plan { $0.hub = HubIdentity(host: "127.0.0.1", name: "hub") },
            "the plan is for hub contoso.servicebus.windows.net/app, not for 127.0.0.1/hub"
        ),
        (
            plan { $0.sending = .again },
            "the plan is for its only sending, not for another sending to everybody"
        ),
        (
            plan { $0.sending = .followUp(of: RunID(checked: "r"), [.failed, .rejected]) },
            "the plan is for its only sending, not for a follow-up to run r for the outcomes rejected,failed"
        ),
        (plan { $0.version = "1.1.0" }, "the plan was made by hubsend 1.0.0, but this is 1.1.0"),
        (
            plan { $0.made += 7 * 86_400 + 1 },
            "the plan was made on 2026-12-01 09:00:00 UTC and was valid for 7 days"
        ),
        (
            plan { $0.made -= 3_601 },
            "the plan was made on 2026-12-01 09:00:00 UTC, which is in the future; check the clocks of both machines"
        ),
        (plan { $0.configKeys = [] }, "`<limits.recipients>` was removed"),
        (plan { $0.payloadFile = nil }, "payload file offer.txt was removed"),
        (
            plan {
                $0.audience.counts.final = 11_200
                $0.audience.names = "other"
                $0.audience.platforms = [.apns: 11_200, .fcm: 11_200]
                $0.audience.languages["default"] = 10_800
            },
            "audience: 1,200 people more (11,200 instead of 10,000)"
        ),
        (
            plan { $0.audience.names = "other" },
            "audience: the same number of people as planned, but different people"
        ),
        (
            plan { $0.audience.values = "other" },
            "audience: the same people, but some have different values or languages"
        ),
        (
            plan { $0.audience.platforms[.fcm] = 9_999 },
            "fcm: 1 person fewer (9,999 instead of 10,000)"
        ),
        (
            plan { $0.audience.languages["de"] = 401 },
            "language de: 1 person more (401 instead of 400)"
        ),
    ]

    @Test("Each kind of difference from a plan is described in a sentence", arguments: changes)
    func eachKindOfDifferenceFromAPlanIsDescribedInASentence(now: SavedPlan, sentence: String) {
        #expect(Self.compare(now).map(\.sentence).first == sentence)
    }

    @Test("A comparison recognises that only the kind of send differs")
    func comparisonRecognisesThatOnlyTheKindOfSendDiffers() {
        func isOnlyThat(_ now: SavedPlan) -> Bool {
            PlanComparison(of: Self.plan(), with: now, texts: [], showing: { $0 })
                .isOnlyOtherSending
        }
        #expect(!isOnlyThat(Self.plan()))
        #expect(!isOnlyThat(Self.plan { $0.version = "1.1.0" }))
        #expect(isOnlyThat(Self.plan { $0.sending = .again }))
        #expect(
            !isOnlyThat(
                Self.plan {
                    $0.sending = .again
                    $0.audience.names = "other"
                }))
        // A follow-up run is for fewer people, so its audience is not compared.
        #expect(
            isOnlyThat(
                Self.plan {
                    $0.sending = .followUp(of: RunID(checked: "r"), [.failed])
                    $0.audience.counts.final = 12
                }))
    }

    @Test("A plan is valid for seven days, and longer once its run has begun")
    func planIsValidForSevenDaysAndLongerOnceItsRunHasBegun() {
        #expect(Self.compare(Self.plan { $0.made += 7 * 86_400 }).isEmpty)
        #expect(Self.compare(Self.plan { $0.made += 8 * 86_400 }, isBegun: true).isEmpty)
    }

    @Test("Changed text is reported line by line") func changedTextIsReportedLineByLine() {
        let now = Self.plan {
            $0.campaignKeys[1] = DigestedKey(key: "payload.message", lines: ["a", "d", "c", "e"])
        }
        let texts = [KeyText(key: "payload.message", lines: ["Hi", "You!", "Bye", "PS"])]
        let change = Self.compare(now, texts: texts).first
        #expect(change?.sentence == "`<payload.message>` was changed")
        #expect(change?.lines == ["- line 2 of the plan", "+ <You!>", "+ <PS>"])
    }

    @Test("Reordered lines are reported as reordered") func reorderedLinesAreReportedAsReordered() {
        let now = Self.plan {
            $0.campaignKeys[1] = DigestedKey(key: "payload.message", lines: ["b", "a", "c"])
        }
        let change = Self.compare(now).first
        #expect(
            change?.sentence
                == "`<payload.message>` has the same lines in a different order, which matters")
        #expect(change?.lines == [])
    }

    @Test("A new key is shown with its text") func newKeyIsShownWithItsText() {
        let now = Self.plan { $0.campaignKeys.append(DigestedKey(key: "new", lines: ["z"])) }
        let change = Self.compare(now, texts: [KeyText(key: "new", lines: ["text"])]).first
        #expect(change?.sentence == "`<new>` is new")
        #expect(change?.lines == ["+ <text>"])
    }

    @Test("A change in a payload file is reported only with its line number")
    func changeInAPayloadFileIsReportedOnlyWithItsLineNumber() {
        let now = Self.plan {
            $0.payloadFile = DigestedFile(
                path: "offer.txt", mediaType: "text/plain", byteCount: 104, digest: "g",
                lines: ["x", "z"])
        }
        let change = Self.compare(now).first
        #expect(change?.sentence == "payload file offer.txt: 104 bytes instead of 100")
        #expect(change?.lines == ["- line 2 of the plan", "+ line 2"])
    }

    @Test("Long text is cut, and the number of further lines is given")
    func longTextIsCutAndTheNumberOfFurtherLinesIsGiven() {
        let now = Self.plan {
            $0.campaignKeys.append(DigestedKey(key: "new", lines: (1...50).map { "digest \($0)" }))
        }
        let lines = Self.compare(now).first?.lines
        #expect(lines?.count == 21)
        #expect(lines?.last == "and 30 more lines")
    }
}
