import CampaignCore
import TestSupport
import Testing

@testable import Delivery

@Suite(.bounded) struct InFlightTests {
    private func pushes(_ numbers: Range<Int>) -> ArraySlice<Attempt> {
        numbers.map { Attempt([.fresh($0)]) }[...]
    }

    private func people(_ answers: InFlight.Answers?) -> [Int] {
        (answers?.pushes ?? []).flatMap { $0.attempt.claims.map(\.number) }
    }

    @Test("Results are matched to their pushes in order of arrival")
    func resultsAreMatchedToTheirPushesInOrderOfArrival() {
        var pages = InFlight()
        _ = pages.add(pushes(1..<4), on: .apns, from: .seconds(1))
        let second = pages.add(pushes(4..<7), on: .fcm, from: .seconds(2))
        let answers = pages.take(
            [
                PushResult(number: 2, disposition: .rejected),
                PushResult(number: 0, disposition: .accepted),
            ], of: second)
        #expect(answers?.platform == .fcm)
        #expect(people(answers) == [6, 4])
        #expect(answers?.pushes.map(\.result.disposition) == [.rejected, .accepted])
        #expect(answers?.strays == 0)
    }

    @Test("A push remembers its first and last try") func pushRemembersItsFirstAndLastTry() throws {
        var pages = InFlight()
        let first = pages.add(pushes(1..<2), on: .apns, from: .seconds(3))
        let result = PushResult(number: 0, disposition: .unknown)
        let once = try #require(pages.take([result], of: first)?.pushes.first?.attempt)
        let again = pages.add([once], on: .apns, from: .seconds(8))
        let twice = try #require(pages.take([result], of: again)?.pushes.first?.attempt)
        #expect(twice.firstTry == .seconds(3))
        #expect(twice.lastTry == .seconds(8))
    }

    @Test("Only the first result of a push is used") func onlyTheFirstResultOfAPushIsUsed() {
        var pages = InFlight()
        let page = pages.add(pushes(1..<3), on: .apns, from: .zero)
        let result = PushResult(number: 0, disposition: .accepted)
        let stranger = PushResult(number: 9, disposition: .accepted)
        let answers = pages.take([result, result, stranger], of: page)
        #expect(people(answers) == [1])
        #expect(answers?.strays == 2)
        #expect(pages.take([result], of: page + 1) == nil)
    }

    @Test("A push without a result at the end of its page may have been sent")
    func pushWithoutAResultAtTheEndOfItsPageMayHaveBeenSent() {
        var pages = InFlight()
        let page = pages.add(pushes(1..<4), on: .apns, from: .zero)
        _ = pages.take([PushResult(number: 1, disposition: .accepted)], of: page)
        #expect(!pages.isEmpty)
        let lost = pages.close(page)
        #expect(people(lost) == [1, 3])
        #expect(lost?.pushes.allSatisfy { $0.result.disposition == .unknown } == true)
        #expect(pages.isEmpty)
        #expect(pages.close(page) == nil)
    }

    @Test("Pushes in flight are counted per platform") func pushesInFlightAreCountedPerPlatform() {
        var pages = InFlight()
        let first = pages.add(pushes(1..<4), on: .apns, from: .zero)
        _ = pages.add([Attempt([.fresh(4), .fresh(5)])], on: .apns, from: .zero)
        #expect(pages.left(on: .apns).pushes == 4)
        #expect(pages.left(on: .apns).recipients == 5)
        #expect(pages.left(on: .fcm).pushes == 0)
        _ = pages.take([PushResult(number: 0, disposition: .accepted)], of: first)
        #expect(pages.left(on: .apns).pushes == 3)
        #expect(pages.left(on: .apns).recipients == 4)
        #expect(!pages.hasAny(of: 1...1, on: .apns))
        #expect(pages.hasAny(of: 1...2, on: .apns))
        #expect(!pages.hasAny(of: 1...9, on: .fcm))
        _ = pages.close(first)
        #expect(pages.left(on: .apns).pushes == 1)
        #expect(pages.left(on: .apns).recipients == 2)
    }

    @Test("A claim is closed when all of its pages are closed")
    func claimIsClosedWhenAllOfItsPagesAreClosed() {
        var pages = InFlight()
        let both = [
            pages.add(pushes(1..<2), of: 7, on: .apns, from: .zero, at: nil),
            pages.add(pushes(2..<3), of: 7, on: .apns, from: .zero, at: nil),
        ]
        pages.close(claim: 8)
        var written = [pages.takeClosedClaims()]
        _ = pages.close(both[0])
        _ = pages.close(both[0])
        _ = pages.close(9)
        written.append(pages.takeClosedClaims())
        _ = pages.close(both[1])
        written.append(pages.takeClosedClaims())
        written.append(pages.takeClosedClaims())
        #expect(written == [[8], [], [7], []])
    }

    // MARK: Cancelled pages

    @Test("A page is cancelled if one of its people must not get a push")
    func pageIsCancelledIfOneOfItsPeopleMustNotGetAPush() async {
        var pages = InFlight()
        let (cancelled, kept) = (task(), task())
        pages.begin(pages.add(pushes(1..<4), on: .apns, from: .zero), cancelled)
        pages.begin(pages.add(pushes(4..<6), on: .apns, from: .zero), kept)
        pages.cancel { $0 != 2 }
        await cancelled.value
        #expect(!kept.isCancelled)
        pages.cancelAll()
        await kept.value
    }

    @Test("A page that has ended is not cancelled") func pageThatHasEndedIsNotCancelled() {
        var pages = InFlight()
        let task = task()
        let page = pages.add(pushes(1..<2), on: .apns, from: .zero)
        pages.begin(page, task)
        _ = pages.close(page)
        pages.cancel { _ in false }
        #expect(!task.isCancelled)
        task.cancel()
    }

    private func task() -> Task<Void, Never> {
        Task { await Signal.cancellation() }
    }
}
