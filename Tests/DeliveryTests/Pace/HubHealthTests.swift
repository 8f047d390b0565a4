import TestSupport
import Testing

@testable import Delivery

@Suite(.bounded) struct HubHealthTests {
    @Test("Only responses after a given time are considered")
    func onlyResponsesAfterAGivenTimeAreConsidered() {
        var health = HubHealth(concurrency: 64)
        #expect(!health.hasAnswered(since: .zero))
        health.answered(at: .seconds(5))
        #expect(health.hasAnswered(since: .seconds(5)))
        #expect(!health.hasAnswered(after: .seconds(5)))
        #expect(health.hasAnswered(after: .seconds(4)))
        #expect(!health.hasAnswered(since: .seconds(6)))
    }

    @Test(
        "A hub counts as silent after twenty lost responses, or one per connection",
        arguments: [(1, 20), (20, 20), (64, 64), (1_024, 1_024)])
    func hubCountsAsSilentAfterTwentyLostResponsesOrOnePerConnection(
        concurrency: Int, patience: Int
    ) {
        var health = HubHealth(concurrency: concurrency)
        for _ in 1..<patience { health.answerLost() }
        #expect(!health.isSilent)
        health.answerLost()
        #expect(health.isSilent)
    }

    @Test("One response ends the silence") func oneResponseEndsTheSilence() {
        var health = HubHealth(concurrency: 1)
        for _ in 0..<19 { health.answerLost() }
        health.answerCame()
        health.answerLost()
        #expect(!health.isSilent)
    }
}
