import CampaignCore
import TestSupport
import Testing

@testable import Delivery

@Suite(.bounded) struct OutstandingPagesTests {
    private func pushes(_ numbers: Range<Int>) -> [Attempt] {
        numbers.map { Attempt([.fresh($0)]) }
    }

    private func people(_ answers: OutstandingPages.Answers?) -> [Int] {
        (answers?.pushes ?? []).flatMap { $0.attempt.claims.map(\.number) }
    }

    @Test func resultsFindTheirPushesInTheOrderInWhichTheyCame() {
        var pages = OutstandingPages()
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

    @Test func aPushRemembersWhenItWasHandedOverFirstAndLast() throws {
        var pages = OutstandingPages()
        let first = pages.add(pushes(1..<2), on: .apns, from: .seconds(3))
        let result = PushResult(number: 0, disposition: .unknown)
        let once = try #require(pages.take([result], of: first)?.pushes.first?.attempt)
        let again = pages.add([once], on: .apns, from: .seconds(8))
        let twice = try #require(pages.take([result], of: again)?.pushes.first?.attempt)
        #expect(twice.firstTry == .seconds(3))
        #expect(twice.lastTry == .seconds(8))
    }

    @Test func onlyTheFirstResultOfAPushCounts() {
        var pages = OutstandingPages()
        let page = pages.add(pushes(1..<3), on: .apns, from: .zero)
        let result = PushResult(number: 0, disposition: .accepted)
        let stranger = PushResult(number: 9, disposition: .accepted)
        let answers = pages.take([result, result, stranger], of: page)
        #expect(people(answers) == [1])
        #expect(answers?.strays == 2)
        #expect(pages.take([result], of: page + 1) == nil)
    }

    @Test func whatHasNoResultWhenThePageIsDoneMayHaveGoneOut() {
        var pages = OutstandingPages()
        let page = pages.add(pushes(1..<4), on: .apns, from: .zero)
        _ = pages.take([PushResult(number: 1, disposition: .accepted)], of: page)
        #expect(!pages.isEmpty)
        let lost = pages.close(page)
        #expect(people(lost) == [1, 3])
        #expect(lost?.pushes.allSatisfy { $0.result.disposition == .unknown } == true)
        #expect(pages.isEmpty)
        #expect(pages.close(page) == nil)
    }
}
