import HTTPServing
import NIOCore
import NIOEmbedded
import TestSupport
import Testing

@Suite(.bounded) struct ConcurrencyLimitTests {
    @Test("Callers above the limit are refused until a permit is returned")
    func callersAboveTheLimitAreRefusedUntilAPermitIsReturned() {
        let limit = ConcurrencyLimit(2)
        #expect(limit.acquire())
        #expect(limit.acquire())
        #expect(!limit.acquire())
        #expect(!limit.acquire())
        limit.release()
        #expect(limit.acquire())
        #expect(!limit.acquire())
    }

    @Test("Concurrent callers never exceed the limit")
    func concurrentCallersNeverExceedTheLimit() async {
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

    @Test("Waiting callers get permits in order of arrival")
    func waitingCallersGetPermitsInOrderOfArrival() async {
        let limit = ConcurrencyLimit(1)
        let eventLoop = NIOAsyncTestingEventLoop()
        #expect(limit.acquire())
        let (turns, turn) = AsyncStream.makeStream(of: Int.self)
        await withTaskGroup(of: Void.self) { group in
            for number in 1...3 {
                group.addTask {
                    #expect(await limit.acquire(within: .seconds(3), on: eventLoop))
                    turn.yield(number)
                }
                await Self.wait(for: limit, toHave: 1 + number)
            }
            var seen = turns.makeAsyncIterator()
            for number in 1...3 {
                limit.release()
                #expect(await seen.next() == number)
                #expect(!limit.acquire())
            }
        }
        limit.release()
        #expect(limit.acquire())
    }

    @Test("A wait ends without a permit after its time limit")
    func waitEndsWithoutAPermitAfterItsTimeLimit() async {
        let limit = ConcurrencyLimit(1)
        let eventLoop = NIOAsyncTestingEventLoop()
        #expect(limit.acquire())
        async let first = limit.acquire(within: .seconds(3), on: eventLoop)
        await Self.wait(for: limit, toHave: 2)
        await eventLoop.advanceTime(by: .seconds(2))
        async let second = limit.acquire(within: .seconds(3), on: eventLoop)
        await Self.wait(for: limit, toHave: 3)
        await eventLoop.advanceTime(by: .seconds(1))
        #expect(await !first)
        await eventLoop.advanceTime(by: .seconds(2))
        #expect(await !second)
        async let third = limit.acquire(within: .seconds(3), on: eventLoop)
        await Self.wait(for: limit, toHave: 2)
        limit.release()
        #expect(await third)
    }

    private static func wait(for limit: ConcurrencyLimit, toHave count: Int) async {
        _ = await limit.counts.first { $0 == count }
    }

    @Test("With zero permits, callers do not wait") func withZeroPermitsCallersDoNotWait() async {
        #expect(
            await !ConcurrencyLimit(0).acquire(
                within: .seconds(3), on: NIOAsyncTestingEventLoop()))
    }

    @Test("A permit is returned when its last reference is released")
    func permitIsReturnedWhenItsLastReferenceIsReleased() async {
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
