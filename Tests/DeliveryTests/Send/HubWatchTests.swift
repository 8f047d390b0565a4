import CampaignCore
import Foundation
import TestSupport
import Testing

@testable import Delivery

@Suite(.bounded) struct HubWatchTests {
    private let start = Date(timeIntervalSince1970: 1_800_000_000)
    private let judge = ResultJudge(
        platforms: [.apns], policy: DeliveryPolicy(), onUnknown: .resend,
        random: SeededGenerator(seed: 3))

    private func trouble(_ watch: HubWatch, at time: Duration) -> HubTrouble? {
        watch.trouble(judge, at: time, date: start.addingTimeInterval(time / .seconds(1)))
    }

    @Test("Time when the engine was busy does not count as the hub's silence")
    func timeWhenTheEngineWasBusyDoesNotCountAsTheHubsSilence() {
        var watch = HubWatch()
        watch.check(at: .seconds(1))
        watch.note(hasOut: true, isResult: false, at: .seconds(1))
        // The store was unavailable.
        watch.check(at: .seconds(41))
        #expect(trouble(watch, at: .seconds(41)) == nil)
        for second in 42...46 { watch.check(at: .seconds(second)) }
        #expect(trouble(watch, at: .seconds(46)) == .silent(since: start.addingTimeInterval(41)))
    }
}
