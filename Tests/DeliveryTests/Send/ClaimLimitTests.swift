import CampaignCore
import TestSupport
import Testing

@testable import Delivery

@Suite(.bounded) struct ClaimLimitTests {
    private func limit(concurrency: Int = 64, sharing: Int = 1) -> ClaimLimit {
        ClaimLimit(DeliveryPolicy(concurrency: concurrency, recipientsPerPush: sharing))
    }

    @Test("A page takes at most half of the claim limit and a tenth of a second")
    func pageTakesAtMostHalfOfTheClaimLimitAndATenthOfASecond() {
        #expect(limit().room(own: 0, all: 0, platforms: 1, at: nil) == 57)
        #expect(limit().room(own: 0, all: 0, platforms: 1, at: 500) == 50)
        #expect(limit().room(own: 0, all: 0, platforms: 1, at: 0.1) == 1)
        #expect(limit(sharing: 20).room(own: 0, all: 0, platforms: 1, at: nil) == 3)
    }

    @Test("A claim is delayed until it is large enough for a transaction")
    func claimIsDelayedUntilItIsLargeEnoughForATransaction() {
        #expect(limit().room(own: 89, all: 89, platforms: 1, at: nil) == 25)
        #expect(limit().room(own: 90, all: 90, platforms: 1, at: nil) == 0)
    }

    @Test("A platform that hangs leaves room for the others")
    func platformThatHangsLeavesRoomForTheOthers() {
        #expect(limit().room(own: 57, all: 57, platforms: 2, at: nil) == 0)
        #expect(limit().room(own: 0, all: 57, platforms: 2, at: nil) == 28)
    }

    /// For any order of responses and platforms.
    @Test(
        "At least one person, and at most fifty more than the concurrency, are claimed",
        arguments: [1, 4, 64, 1_024], [1, 7, 20])
    func atLeastOnePersonAndAtMostFiftyMoreThanTheConcurrencyAre(
        concurrency: Int, sharing: Int
    ) {
        var random = SeededGenerator(seed: UInt64(concurrency * 100 + sharing))
        for platforms in 1...5 {
            let limit = limit(concurrency: concurrency, sharing: sharing)
            var out = Array(repeating: 0, count: platforms)
            for turn in 0..<2_000 {
                let index = turn % platforms
                let all = out.reduce(0, +)
                let room = limit.room(own: out[index], all: all, platforms: platforms, at: nil)
                #expect(all > 0 || room > 0)
                out[index] += room * sharing
                #expect(out.reduce(0, +) <= concurrency + 50)
                let answered = Int.random(in: 0..<platforms, using: &random)
                out[answered] -= Int.random(in: 0...out[answered], using: &random)
            }
        }
    }
}
