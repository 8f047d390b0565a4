import TestSupport
import Testing

@testable import Delivery

@Suite(.bounded) struct BackoffTests {
    @Test(
        "Delays double up to the cap, with at most half of the delay as jitter",
        arguments: [
            (1, 0.5, 1.0), (2, 1.0, 2.0), (3, 2.0, 4.0), (6, 16.0, 32.0), (7, 30.0, 60.0),
            (100, 30.0, 60.0),
        ])
    func delaysDoubleUpToTheCapWithAtMostHalfOfTheDelayAsJitter(
        retry: Int, least: Double, most: Double
    ) {
        var generator = SeededGenerator(seed: 1)
        let waits = (0..<1_000).map { _ in
            Backoff().delay(beforeRetry: retry, atLeast: nil, using: &generator)
        }
        #expect(waits.allSatisfy { $0 >= .seconds(least) && $0 <= .seconds(most) })
        #expect(Set(waits).count > 900, "waits are spread, not equal")
    }

    @Test("A delay is never shorter than the hub has requested")
    func delayIsNeverShorterThanTheHubHasRequested() {
        var generator = SeededGenerator(seed: 2)
        let wait = Backoff().delay(beforeRetry: 1, atLeast: .seconds(90), using: &generator)
        #expect(wait == .seconds(90))
        let longer = Backoff().delay(beforeRetry: 5, atLeast: .milliseconds(1), using: &generator)
        #expect(longer >= .seconds(8))
    }

    @Test(
        "A delay stays within its bounds whatever the settings", arguments: 0..<50 as Range<UInt64>)
    func delayStaysWithinItsBoundsWhateverTheSettings(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<200 {
            let base = Duration.milliseconds(Int.random(in: 1...5_000, using: &generator))
            let cap = base * Int.random(in: 1...1_000, using: &generator)
            let retry = Int.random(in: -1...200, using: &generator)
            let least: Duration? =
                Bool.random(using: &generator)
                ? .milliseconds(Int.random(in: 0...100_000, using: &generator)) : nil
            let wait = Backoff(base: base, cap: cap)
                .delay(beforeRetry: retry, atLeast: least, using: &generator)
            #expect(wait >= max(base / 2, least ?? .zero))
            #expect(wait <= max(cap, least ?? .zero))
        }
    }
}
