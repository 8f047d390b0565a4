import TestSupport
import Testing

@testable import AppBackend

@Suite(.bounded) struct RecentValuesTests {
    private let time = TestTime()

    @Test("A value expires, and storing it again starts a new lifetime")
    func valueExpiresAndStoringItAgainStartsANewLifetime() {
        var values = RecentValues<String, Int>(lifetime: .seconds(60), limit: 8)
        values.keep(1, of: "a", now: time.now)
        time.advance(by: .milliseconds(59_999))
        #expect(values.value(of: "a", now: time.now) == 1)
        #expect(values.value(of: "b", now: time.now) == nil)
        time.advance(by: .milliseconds(1))
        #expect(values.value(of: "a", now: time.now) == nil)
        values.keep(2, of: "a", now: time.now)
        time.advance(by: .seconds(59))
        #expect(values.value(of: "a", now: time.now) == 2)
    }

    @Test("When space runs out, at least the newer half of the values is kept")
    func whenSpaceRunsOutAtLeastTheNewerHalfOfTheValuesIsKept() {
        var values = RecentValues<Int, Int>(lifetime: .seconds(60), limit: 8)
        for number in 0..<1_000 {
            values.keep(number, of: number, now: time.now)
            #expect(values.count <= 8)
            for recent in max(0, number - 3)...number {
                #expect(values.value(of: recent, now: time.now) == recent)
            }
        }
        #expect(values.value(of: 990, now: time.now) == nil)
    }

    @Test("The latest value of a key replaces earlier values")
    func latestValueOfAKeyReplacesEarlierValues() {
        var values = RecentValues<Int, Int>(lifetime: .seconds(60), limit: 4)
        for number in 0..<100 {
            values.keep(number, of: 0, now: time.now)
            values.keep(number, of: number + 1, now: time.now)
            #expect(values.value(of: 0, now: time.now) == number)
        }
    }
}
