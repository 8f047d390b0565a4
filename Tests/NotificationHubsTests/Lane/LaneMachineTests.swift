import CampaignCore
import NIOCore
import TestSupport
import Testing

@testable import NotificationHubs

@Suite(.bounded) struct LaneMachineTests {
    private static let unreachable = PushDisposition.retry(after: nil, cause: .unreachable)

    // MARK: Opening

    @Test func oneConnectionIsTriedUntilTheHubIsReached() throws {
        var world = LaneWorld(concurrency: 3)
        #expect(try world.begin(.example(5)) == ["connect 0"])
        #expect(world.connect(0) == ["write 0 to 0", "connect 1", "connect 2"])
        #expect(world.connect(2) == ["write 2 to 2"])
        #expect(world.answer(2, .taken) == ["write 3 to 2"])
        #expect(world.faults == [])
    }

    @Test func nothingGoesOutBeforeTLSIsAgreedOn() throws {
        var world = LaneWorld()
        try world.begin(.example(1))
        #expect(world.connect(0, isReady: false) == [])
        #expect(world.agree(0) == ["write 0 to 0"])
    }

    @Test func aConnectionIsUsedAgainByTheNextPage() throws {
        var world = LaneWorld()
        try world.begin(.example(1))
        world.connect(0)
        #expect(world.answer(0, .taken) == ["deliver [0], the last"])
        #expect(try world.begin(.example(1, firstNumber: 1)) == ["write 1 to 0"])
    }

    @Test func whatWaitsFailsWithTheLastConnectionThatWasTried() throws {
        var world = LaneWorld(concurrency: 8)
        try world.begin(.example(4))
        #expect(world.failToConnect(0) == ["deliver [0, 1, 2, 3], the last"])
        #expect(world.dispositions == Array(repeating: Self.unreachable, count: 4))
        #expect(Set(world.results.values.map(\.detail)) == ["connection refused"])
        // The next page tries anew.
        #expect(try world.begin(.example(1, firstNumber: 4)) == ["connect 0"])
        #expect(world.faults == [])
    }

    @Test func whileAnotherConnectionWorksOnlyItsOwnPushFailsWithAConnection() throws {
        var world = LaneWorld()
        try world.begin(.example(4))
        world.connect(0)
        #expect(world.failToConnect(1) == ["connect 1"])
        #expect(world.pass(.milliseconds(600)) == ["deliver [1]"])
        #expect(world.dispositions == [Self.unreachable])
    }

    @Test func theProxyIsNamedWhereItCannotBeReached() throws {
        var world = LaneWorld(proxy: "proxy.example:3128")
        try world.begin(.example(1))
        world.failToConnect(0)
        #expect(
            world.results[0]?.detail == "connection refused (through the proxy proxy.example:3128)")
    }

    @Test func anEndBeforeTLSIsAgreedOnIsNoRequest() throws {
        var world = LaneWorld()
        try world.begin(.example(2))
        world.connect(0, isReady: false)
        #expect(world.end(0) == ["deliver [0, 1], the last"])
        #expect(world.dispositions == [Self.unreachable, Self.unreachable])
        #expect(world.results.values.allSatisfy { $0.requests == 0 })
    }

    @Test func aConnectionOnWhichTLSIsNeverAgreedOnIsGivenUp() throws {
        var world = LaneWorld(requestTimeout: .seconds(60), connectTimeout: .seconds(5))
        try world.begin(.example(1))
        world.connect(0, isReady: false)
        #expect(world.pass(.milliseconds(4_900)) == [])
        #expect(world.pass(.milliseconds(300)) == ["close 0 abruptly", "deliver [0], the last"])
        #expect(world.results[0]?.detail == "the TLS handshake failed")
        #expect(world.dispositions == [Self.unreachable])
    }

    // MARK: Answers and losses

    @Test func anEndWithoutAnAnswerIsUnknown() throws {
        var world = LaneWorld()
        try world.begin(.example(1))
        world.connect(0)
        world.end(0)
        #expect(world.dispositions == [.unknown])
        #expect(world.results[0]?.requests == 1)
        #expect(world.results[0]?.detail == "the connection was lost")
    }

    @Test(arguments: [
        (LaneMachine.Answer.taken, PushDisposition.accepted), (.status(400), .rejected),
        (.status(429), .retry(after: nil, cause: .throttled)),
    ])
    func whatWasSaidBeforeTheEndCounts(
        answer: LaneMachine.Answer, disposition: PushDisposition
    ) throws {
        for isHalfClosed in [true, false] {
            var world = LaneWorld()
            try world.begin(.example(1))
            world.connect(0)
            if isHalfClosed {
                world.end(0, answer)
            } else {
                #expect(world.break(0, answer) == ["close 0", "deliver [0], the last"])
            }
            #expect(world.dispositions == [disposition])
            #expect(world.faults == [])
        }
    }

    @Test func bytesBehindAnAnswerCostTheConnectionAndNothingElse() throws {
        var world = LaneWorld(concurrency: 1)
        try world.begin(.example(2))
        world.connect(0)
        #expect(world.break(0, .taken) == ["close 0", "connect 1"])
        #expect(world.connect(1) == ["write 1 to 1"])
        #expect(world.answer(1, .taken) == ["deliver [0, 1], the last"])
        #expect(world.dispositions == [.accepted, .accepted])
    }

    @Test func nonsenseInPlaceOfAnAnswerIsUnknown() throws {
        var world = LaneWorld()
        try world.begin(.example(1))
        world.connect(0)
        #expect(
            world.break(0, nil, isMalformed: true) == ["close 0 abruptly", "deliver [0], the last"])
        #expect(world.dispositions == [.unknown])
    }

    @Test func aConnectionThatEndsWithoutWorkIsNoFailure() throws {
        var world = LaneWorld()
        try world.begin(.example(1))
        world.connect(0)
        world.answer(0, .taken)
        #expect(world.end(0) == [])
        #expect(try world.begin(.example(1, firstNumber: 1)) == ["connect 1"])
        world.close(0)
        world.connect(1)
        world.answer(1, .taken)
        #expect(world.dispositions == [.accepted, .accepted])
        #expect(world.faults == [])
    }

    @Test func aTagThatIsNoneIsRefusedWithoutARequest() throws {
        var world = LaneWorld()
        var page = try PushPage.example(2)
        page.pushes[0].usernames = []
        #expect(try world.begin(page) == ["connect 0"])
        #expect(world.connect(0) == ["write 1 to 0"])
        world.answer(0, .taken)
        #expect(world.dispositions == [.rejected, .accepted])
        #expect(world.results[0]?.requests == 0)
    }

    // MARK: The token

    @Test func aTokenThatIsRefusedIsRenewedOnceForAll() throws {
        var world = LaneWorld()
        try world.begin(.example(2))
        world.connect(0)
        world.connect(1)
        #expect(world.answer(0, .status(401)) == ["renew", "write 0 to 0"])
        #expect(world.answer(1, .status(401)) == ["write 1 to 1"])
        world.answer(0, .taken)
        world.answer(1, .taken)
        #expect(world.dispositions == [.accepted, .accepted])
        #expect(world.results.values.map(\.requests) == [2, 2])
        #expect(world.renewals == 1)
    }

    @Test func aSecondRefusalOfTheTokenIsTheResult() throws {
        var world = LaneWorld(concurrency: 1)
        try world.begin(.example(3))
        world.connect(0)
        world.answer(0, .status(401))
        #expect(world.answer(0, .status(401)) == ["deliver [0, 1, 2], the last"])
        #expect(world.dispositions == [.stop(.credentials), .notSent, .notSent])
        #expect(world.results[0]?.requests == 2)
    }

    @Test func aTokenThatWasRefreshedMeanwhileIsNotSignedAgain() throws {
        var world = LaneWorld()
        try world.begin(.example(1))
        world.connect(0)
        world.tell { machine, _ in machine.tokenChanged() }
        #expect(world.answer(0, .status(401)) == ["write 0 to 0"])
        #expect(world.renewals == 0)
    }

    @Test func theSecondRequestTakesAnotherConnectionWhereTheFirstIsClosed() throws {
        var world = LaneWorld(concurrency: 1)
        try world.begin(.example(1))
        world.connect(0)
        #expect(world.break(0, .status(401)) == ["close 0", "renew", "connect 1"])
        #expect(world.connect(1) == ["write 0 to 1"])
        world.answer(1, .taken)
        #expect(world.dispositions == [.accepted])
        #expect(world.results[0]?.requests == 2)
    }

    @Test func aPushThatWasRefusedAndWaitsForAConnectionIsNotReportedAsNotSent() throws {
        var world = LaneWorld(concurrency: 1)
        try world.begin(.example(2))
        world.connect(0)
        world.end(0, .status(401))
        world.cancel(world.pages[0])
        #expect(world.results[1]?.disposition == .notSent)
        #expect(world.failToConnect(1) == ["deliver [0], the last"])
        #expect(world.results[0]?.disposition == Self.unreachable)
        #expect(world.results[0]?.requests == 1)
        #expect(world.faults == [])
    }

    // MARK: Time

    @Test func aHubThatSaysNothingIsFoundOutByOnes() throws {
        var world = LaneWorld(concurrency: 2, requestTimeout: .seconds(10))
        try world.begin(.example(6))
        world.connect(0)
        world.connect(1)
        world.pass(.milliseconds(9_900))
        #expect(world.results.isEmpty)
        world.pass(.milliseconds(700))
        #expect(
            world.dispositions == [.unknown, .unknown]
                + Array(repeating: Self.unreachable, count: 4))
        #expect(Set(world.results.values.map(\.detail)) == ["no answer in time"])
        #expect(world.faults == [])
    }

    @Test func whileOthersAreAnsweredOnlyTheHangingPushIsLost() throws {
        var world = LaneWorld(concurrency: 2, requestTimeout: .seconds(10))
        try world.begin(.example(3))
        world.connect(0)
        world.connect(1)
        world.pass(.seconds(5))
        #expect(world.answer(1, .taken) == ["write 2 to 1"])
        world.pass(.milliseconds(5_500))
        world.answer(1, .taken)
        #expect(world.dispositions == [.unknown, .accepted, .accepted])
    }

    @Test func anAnswerWhoseBodyNeverEndsCounts() throws {
        var world = LaneWorld(requestTimeout: .seconds(10))
        try world.begin(.example(1))
        world.connect(0)
        #expect(
            world.pass(.seconds(11), known: [0: .taken]) == [
                "close 0 abruptly", "deliver [0], the last",
            ])
        #expect(world.dispositions == [.accepted])
    }

    @Test func whatWaitsForAConnectionToTheEndIsNoRequest() throws {
        var world = LaneWorld(requestTimeout: .seconds(2), connectTimeout: .seconds(300))
        try world.begin(.example(1))
        world.pass(.seconds(3))
        #expect(world.dispositions == [Self.unreachable])
        #expect(world.results[0]?.requests == 0)
        // It is made all the same, and of use to the next page.
        try world.begin(.example(1, firstNumber: 1))
        #expect(world.connect(0) == ["write 1 to 0"])
    }

    @Test func resultsAreHandedOverWhileOthersHang() throws {
        var world = LaneWorld()
        try world.begin(.example(3))
        world.connect(0)
        world.connect(1)
        world.answer(1, .taken)
        #expect(world.pass(.milliseconds(600)) == ["deliver [1]"])
    }

    @Test func startsKeepToTheirInterval() throws {
        var world = LaneWorld(concurrency: 8)
        try world.begin(.example(3, interval: .milliseconds(50)))
        #expect(world.connect(0) == ["write 0 to 0"])
        #expect(world.answer(0, .taken) == [])
        #expect(world.pass(.milliseconds(49)) == [])
        #expect(world.pass(.milliseconds(2)) == ["write 1 to 0"])
    }

    @Test func aConnectionWithoutWorkIsClosedInTime() throws {
        var world = LaneWorld()
        try world.begin(.example(1))
        world.connect(0)
        world.answer(0, .taken)
        #expect(world.pass(.seconds(59)) == [])
        #expect(world.pass(.seconds(61)) == ["close 0"])
        world.close(0)
        #expect(world.sweepTime == nil)
        #expect(world.machine.channels == 0)
    }

    // MARK: Cancelling and stopping

    @Test func cancellingEndsWhatWaitsAndNothingThatBegan() throws {
        var world = LaneWorld(concurrency: 2)
        try world.begin(.example(4))
        world.connect(0)
        #expect(world.cancel(world.pages[0]) == ["deliver [2, 3, 1]"])
        // It is being made all the same, and of use to the next page.
        #expect(world.connect(1) == [])
        #expect(world.answer(0, .taken) == ["deliver [0], the last"])
        #expect(world.dispositions == [.accepted, .notSent, .notSent, .notSent])
    }

    @Test func aPageThatWasCancelledBeforeDoesNotBegin() throws {
        var world = LaneWorld()
        #expect(try world.begin(.example(2), isCancelled: true) == ["deliver [0, 1], the last"])
        #expect(world.dispositions == [.notSent, .notSent])
        #expect(try world.begin(.example(0)) == ["deliver [], the last"])
    }

    @Test func aStopEndsAllPages() throws {
        var world = LaneWorld(concurrency: 2)
        try world.begin(.example(3, platform: .apns))
        try world.begin(.example(3, platform: .fcm, firstNumber: 3))
        world.connect(0)
        world.answer(0, .status(404))
        #expect(world.isDone)
        #expect(world.results[0]?.disposition == .stop(.hubNotFound))
        #expect((1..<6).allSatisfy { world.results[$0]?.disposition == .notSent })
        #expect(world.faults == [])
    }

    // MARK: Leases

    @Test func withoutItsLeaseNothingMoreOfAPageBeginsAndOthersGoOn() throws {
        var world = LaneWorld(concurrency: 1)
        let lease = RunLease.held()
        try world.begin(.example(4, lease: lease))
        try world.begin(.example(1, firstNumber: 4))
        world.connect(0)
        #expect(world.answer(0, .taken) == ["write 1 to 0"])
        lease.end()
        // What is in flight has its answer.
        #expect(
            world.answer(0, .taken) == [
                "withhold 2 from 0", "deliver [0, 1, 2, 3], the last", "write 4 to 0",
            ])
        #expect(world.dispositions == [.accepted, .accepted, .notSent, .notSent])
        for number in [2, 3] {
            #expect(world.results[number]?.requests == 0)
            #expect(
                world.results[number]?.detail
                    == "the lease had expired, so another process may send it")
        }
        #expect(world.answer(0, .taken) == ["deliver [4], the last"])
        #expect(world.faults == [])
    }

    @Test func aLeaseThatEndsWhileAConnectionIsMadeHoldsItsPushBack() throws {
        var world = LaneWorld(concurrency: 2)
        let lease = RunLease.held()
        try world.begin(.example(2, lease: lease))
        lease.end()
        #expect(world.connect(0) == ["withhold 0 from 0", "connect 1", "deliver [0, 1], the last"])
        #expect(world.dispositions == [.notSent, .notSent])
        #expect(world.results.values.allSatisfy { $0.requests == 0 })
        // Both connections are of use to pages that may go out.
        #expect(try world.begin(.example(1, firstNumber: 2)) == ["write 2 to 0"])
        #expect(world.faults == [])
    }

    @Test func aLeaseThatEndsWhileAPushWaitsForItsTurnHoldsItBack() throws {
        var world = LaneWorld(concurrency: 1)
        let lease = RunLease.held()
        try world.begin(.example(3, interval: .milliseconds(50), lease: lease))
        world.connect(0)
        world.answer(0, .taken)
        lease.end()
        #expect(
            world.pass(.milliseconds(51)) == ["withhold 1 from 0", "deliver [0, 1, 2], the last"])
        #expect(world.dispositions == [.accepted, .notSent, .notSent])
    }

    @Test(arguments: [true, false])
    func aRequestIsNotRepeatedWithAnotherTokenOnceTheLeaseHasEnded(keepsAlive: Bool) throws {
        var world = LaneWorld(concurrency: 1)
        let lease = RunLease.held()
        try world.begin(.example(2, lease: lease))
        world.connect(0)
        lease.end()
        if keepsAlive {
            #expect(
                world.answer(0, .status(401)) == [
                    "renew", "withhold 0 from 0", "deliver [0, 1], the last",
                ])
        } else {
            #expect(world.break(0, .status(401)) == ["close 0", "renew", "connect 1"])
            #expect(world.connect(1) == ["withhold 0 from 1", "deliver [0, 1], the last"])
        }
        #expect(world.dispositions == [.notSent, .notSent])
        // The hub has refused the first one, so that the push has not gone out.
        #expect(world.results[0]?.requests == 1)
        #expect(world.results[1]?.requests == 0)
        #expect(world.faults == [])
    }

    @Test func pagesGoOutUnderALeaseThatWasRenewedTooLateForOthers() throws {
        var world = LaneWorld(concurrency: 1)
        let lease = RunLease.held()
        try world.begin(.example(1, lease: lease))
        lease.end()
        world.connect(0)
        lease.renew()
        #expect(try world.begin(.example(1, firstNumber: 1, lease: lease)) == ["write 1 to 0"])
        #expect(world.dispositions == [.notSent])
    }

    // MARK: Shutdown

    @Test func shuttingDownLosesNoPush() throws {
        var world = LaneWorld(concurrency: 3)
        try world.begin(.example(6))
        world.connect(0)
        world.connect(1)
        world.connect(2, isReady: false)
        world.shutDown(known: [1: .taken])

        #expect(world.isDone)
        #expect(
            world.dispositions == [
                .unknown, .accepted, Self.unreachable, Self.unreachable, Self.unreachable,
                Self.unreachable,
            ])
        #expect(!world.isClosed)
        world.close(0)
        world.close(1)
        #expect(world.close(2) == ["finish"])
        #expect(world.faults == [])
    }

    @Test func afterShuttingDownNothingBegins() throws {
        var world = LaneWorld()
        #expect(world.shutDown() == ["finish"])
        #expect(try world.begin(.example(2)) == ["deliver [0, 1], the last"])
        #expect(world.dispositions == [Self.unreachable, Self.unreachable])
        #expect(Set(world.results.values.map(\.detail)) == ["the client has been shut down"])
        #expect(world.faults == [])
    }

    @Test func whatIsStillBeingConnectedKeepsNobodyWaiting() throws {
        var world = LaneWorld()
        try world.begin(.example(1))
        #expect(world.shutDown() == ["deliver [0], the last", "finish"])
        #expect(world.connect(0) == ["close 0 abruptly"])
        world.close(0)
        #expect(world.faults == [])
    }

    @Test func aTokenThatIsRefusedWhileShuttingDownBeginsNothing() throws {
        var world = LaneWorld()
        try world.begin(.example(1))
        world.connect(0)
        world.shutDown(known: [0: .status(401)])
        #expect(world.dispositions == [Self.unreachable])
        #expect(world.results[0]?.requests == 1)
        #expect(world.faults == [])
    }
}
