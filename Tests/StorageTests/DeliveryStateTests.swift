import CampaignCore
import Storage
import TestSupport
import Testing

@Suite(.bounded) struct DeliveryStateTests {
    @Test("The stored numbers of states never change") func storedNumbersOfStatesNeverChange() {
        #expect(
            [Outcome.accepted, .rejected, .failed, .unknown, .skipped, .notAttempted].map(\.stored)
                == [2, 3, 4, 5, 6, 7])
        for number in 0...7 { #expect(DeliveryState(rawValue: number)?.rawValue == number) }
        #expect(DeliveryState(rawValue: 8) == nil && DeliveryState(rawValue: -1) == nil)
    }
}
