import TestSupport
import Testing

@testable import SQLiteStorage
@testable import Storage

/// How much one of many transactions does.
@Suite(.bounded) struct WritePaceTests {
    @Test func whatIsQuickDoesMoreUpToTheMost() {
        var pace = WritePace(most: 5_000)
        #expect(pace.amount == 1_024)
        for expected in [2_048, 4_096, 5_000, 5_000] {
            pace.note(.milliseconds(1))
            #expect(pace.amount == expected)
        }
    }

    @Test func whatIsSlowDoesLessAndNeverNothing() {
        var pace = WritePace(most: 5_000)
        for expected in [512, 256, 128, 64, 64] {
            pace.note(.milliseconds(50))
            #expect(pace.amount == expected)
        }
        var few = WritePace(most: 10)
        #expect(few.amount == 10)
        few.note(.seconds(1))
        #expect(few.amount == 10)
    }

    @Test func whatTakesAsLongAsItMayStaysAsItIs() {
        var pace = WritePace(most: 5_000)
        pace.note(.milliseconds(15))
        #expect(pace.amount == 1_024)
    }
}
