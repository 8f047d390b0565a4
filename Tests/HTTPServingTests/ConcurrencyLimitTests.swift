import HTTPServing
import TestSupport
import Testing

@Suite(.bounded) struct ConcurrencyLimitTests {
    @Test func whatIsTooMuchIsTurnedAwayUntilAPermitIsBack() {
        let limit = ConcurrencyLimit(2)
        #expect(limit.acquire())
        #expect(limit.acquire())
        #expect(!limit.acquire())
        #expect(!limit.acquire())
        limit.release()
        #expect(limit.acquire())
        #expect(!limit.acquire())
    }

    @Test func howeverManyAskAtOnceNoMoreGetOne() async {
        let limit = ConcurrencyLimit(8)
        let permits = await withTaskGroup(of: Bool.self) { group in
            for _ in 1...64 { group.addTask { limit.acquire() } }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(permits <= 8)
        #expect(permits > 0)
        for _ in 0..<permits { limit.release() }
        #expect((1...8).allSatisfy { _ in limit.acquire() })
    }

    @Test func aPermitIsBackWithTheLastReferenceToIt() async {
        let limit = ConcurrencyLimit(1)
        var counts = limit.counts.makeAsyncIterator()
        var seen = [await counts.next()]
        do {
            let permit = limit.permit()
            seen.append(await counts.next())
            #expect(!limit.acquire())
            withExtendedLifetime(permit) {}
        }
        seen.append(await counts.next())
        #expect(seen == [0, 1, 0])
        #expect(limit.acquire())
    }
}
