import CampaignCore
import FoundationEssentials
import TestSupport
import Testing

@testable import App

@Suite(.bounded) struct PersonTextTests {
    private let alice = Username(checked: "alice")

    @Test("Each line shows one delivery of the person") func eachLineShowsOneDeliveryOfThePerson() {
        var text = PersonText(alice)
        text.append(
            [
                ReportSamples.row(fetchedAt: ReportSamples.start.addingTimeInterval(60)),
                ReportSamples.row(
                    platform: .fcm, outcome: .rejected,
                    revokedAt: ReportSamples.start.addingTimeInterval(120)),
            ], of: ReportSamples.record())
        #expect(
            text.document().text() == """
                SENT                     CAMPAIGN         PLATFORM  OUTCOME   FETCHED                  READ  REVOKED                  RUN
                2026-12-01 09:00:00 UTC  statement-ready  apns      accepted  2026-12-01 09:01:00 UTC                                 20261201T090000Z-abcdef
                2026-12-01 09:00:00 UTC  statement-ready  fcm       rejected                                 2026-12-01 09:02:00 UTC  20261201T090000Z-abcdef

                """)
    }

    @Test("A rehearsal is marked as such") func rehearsalIsMarkedAsSuch() {
        var text = PersonText(alice)
        text.append([ReportSamples.row()], of: ReportSamples.record(isRehearsal: true))
        text.append([ReportSamples.row()], of: ReportSamples.record())
        let lines = text.document().text().split(separator: "\n")
        #expect(lines[1].contains("UTC  statement-ready (rehearsal)  apns"))
        #expect(lines[2].contains("UTC  statement-ready              apns"))
    }

    @Test("Runs whose recipients were deleted are counted")
    func runsWhoseRecipientsWereDeletedAreCounted() {
        var text = PersonText(alice)
        for _ in 0..<2 { text.leaveRunOut() }
        #expect(
            text.document().text() == """
                No run in this store included alice.
                2 older runs are not listed: the recipients were deleted, as `retention` in the config says.

                """)
    }

    @Test("For a person who got no pushes, a sentence is printed")
    func forAPersonWhoGotNoPushesASentenceIsPrinted() {
        let text = PersonText(alice).document().text(.colored)
        #expect(text == "No run in this store included alice.\n")
    }
}
