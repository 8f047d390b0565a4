import CampaignCore
import TestSupport
import Testing

@testable import Delivery

@Suite(.bounded) struct HubOutageTests {
    private let refused = HubTrouble.unreachable("connection refused")

    @Test("An outage is probed with one push at a time") func outageIsProbedWithOnePushAtATime() {
        var outage = HubOutage(refused, at: .seconds(10), wait: .seconds(1))
        #expect(outage.access == .probe(from: .seconds(11)))
        outage.probed(at: .seconds(11))
        #expect(outage.access == .closed)
        outage.returned(sentAt: .seconds(9))
        #expect(outage.access == .closed, "another push that was out already says nothing about it")
        outage.returned(sentAt: .seconds(11))
        let counts = outage.failed(refused, sentAt: .seconds(11), at: .seconds(12))
        #expect(counts)
        outage.wait(.seconds(2), from: .seconds(12))
        #expect(outage.access == .probe(from: .seconds(14)))
    }

    @Test("Failed pushes that were in flight together count as one failure")
    func failedPushesThatWereInFlightTogetherCountAsOneFailure() {
        var outage = HubOutage(refused, at: .seconds(10), wait: .seconds(1))
        for _ in 0..<1_000 {
            let counts = outage.failed(refused, sentAt: .seconds(9), at: .seconds(20))
            #expect(!counts)
        }
        #expect(!outage.isExhausted(RetryLimits(attempts: 2, duration: .seconds(60))))
        let counts = outage.failed(refused, sentAt: .seconds(11), at: .seconds(21))
        #expect(counts)
        #expect(outage.isExhausted(RetryLimits(attempts: 2, duration: .seconds(60))))
    }

    @Test("A run gives up on an outage after `retry.for`, even if tries are left")
    func runGivesUpOnAnOutageAfterRetryForEvenIfTriesAreLeft() {
        var outage = HubOutage(refused, at: .zero, wait: .seconds(1))
        let policy = RetryLimits(attempts: 100, duration: .seconds(60))
        let counts = outage.failed(.unanswering("HTTP 500"), sentAt: .seconds(1), at: .seconds(50))
        #expect(counts)
        outage.wait(.seconds(10), from: .seconds(50))
        #expect(!outage.isExhausted(policy))
        outage.wait(.seconds(11), from: .seconds(50))
        #expect(outage.isExhausted(policy))
        #expect(outage.trouble == .unanswering("HTTP 500"), "the last word counts")
    }
}
