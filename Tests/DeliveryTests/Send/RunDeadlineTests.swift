import CampaignCore
import FoundationEssentials
import TestSupport
import Testing

@testable import Delivery

@Suite(.bounded) struct RunDeadlineTests {
    private func run(finishWithin: Duration, expiresAfter: TimeInterval) -> RunRecord {
        let start = TestBench.start
        return RunRecord(
            id: RunID(checked: "20270115T080000Z-aaaaaa"), campaign: "spring", hub: TestBench.hub,
            occurrence: .once, isRehearsal: false, state: .running, kind: .secure,
            platforms: [.apns], isMessagePrivate: false, campaignPath: "/c.yaml",
            delivery: DeliveryPolicy(finishWithin: finishWithin), fingerprints: [:],
            started: start, expires: start.addingTimeInterval(expiresAfter))
    }

    @Test("A run ends at finish_within or at its expiry, whichever is earlier")
    func runEndsAtFinishWithinOrAtItsExpiryWhicheverIsEarlier() {
        let late = RunDeadline(run(finishWithin: .seconds(3_600), expiresAfter: 86_400))
        #expect(late.date == TestBench.start.addingTimeInterval(3_600))
        #expect(late.detail == "too late: finish_within ended at 2027-01-15T09:00:00Z")
        #expect(
            late.detailOfTurns
                == "too late: finish_within ends at 2027-01-15T09:00:00Z, before their turn")
        let expired = RunDeadline(run(finishWithin: .seconds(86_400), expiresAfter: 60))
        #expect(expired.date == TestBench.start.addingTimeInterval(60))
        #expect(expired.detail == "expired: the payload expired at 2027-01-15T08:01:00Z")
        #expect(
            expired.detailOfTurns
                == "expired: the payload expires at 2027-01-15T08:01:00Z, before their turn")
    }
}
