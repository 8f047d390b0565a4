import CampaignCore
import NIOCore
import TestSupport
import Testing

@testable import NotificationHubs

@Suite(.bounded) struct LaneMachineTests {
    private static let unreachable = PushDisposition.retry(after: nil, cause: .unreachable)

    // MARK: Opening

    @Test("Only one connection is tried until the hub is reached")
    func onlyOneConnectionIsTriedUntilTheHubIsReached() throws {
        var world = LaneWorld(concurrency: 3)
        #expect(try world.begin(.example(5)) == ["connect 0"])
        #expect(world.connect(0) == ["write 0 to 0", "connect 1", "connect 2"])
        #expect(world.connect(2) == ["write 2 to 2"])
        #expect(world.answer(2, .taken) == ["write 3 to 2"])
        #expect(world.violations == [])
    }

    @Test("Nothing is sent before the TLS handshake")
    func nothingIsSentBeforeTheTLSHandshake() throws {
        var world = LaneWorld()
        try world.begin(.example(1))
        #expect(world.connect(0, isReady: false) == [])
        #expect(world.agree(0) == ["write 0 to 0"])
    }

    @Test("The next page reuses a connection") func nextPageReusesAConnection() throws {
        var world = LaneWorld()
        try world.begin(.example(1))
        world.connect(0)
        #expect(world.answer(0, .taken) == ["deliver [0], the last"])
        #expect(try world.begin(.example(1, firstNumber: 1)) == ["write 1 to 0"])
    }

    @Test("Waiting pushes fail when the last connection attempt fails")
    func waitingPushesFailWhenTheLastConnectionAttemptFails() throws {
        var world = LaneWorld(concurrency: 8)
        try world.begin(.example(4))
        #expect(world.failToConnect(0) == ["deliver [0, 1, 2, 3], the last"])
        #expect(world.dispositions == Array(repeating: Self.unreachable, count: 4))
        #expect(Set(world.results.values.map(\.detail)) == ["connection refused"])
        // The next page tries again.
        #expect(try world.begin(.example(1, firstNumber: 4)) == ["connect 0"])
        #expect(world.violations == [])
    }

    @Test("A failed connection fails one push while another connection works")
    func failedConnectionFailsOnePushWhileAnotherConnectionWorks() throws {
        var world = LaneWorld()
        try world.begin(.example(4))
        world.connect(0)
        #expect(world.failToConnect(1) == ["connect 1"])
        #expect(world.pass(.milliseconds(600)) == ["deliver [1]"])
        #expect(world.dispositions == [Self.unreachable])
    }

    @Test("The result for an unreachable proxy names the proxy")
    func resultForAnUnreachableProxyNamesTheProxy() throws {
        var world = LaneWorld(proxy: "proxy.example:3128")
        try world.begin(.example(1))
        world.failToConnect(0)
        #expect(
            world.results[0]?.detail == "connection refused (through the proxy proxy.example:3128)")
    }

    @Test("If a connection closes during the handshake, no request counts as sent")
    func ifAConnectionClosesDuringTheHandshakeNoRequestCountsAsSent() throws {
        var world = LaneWorld()
        try world.begin(.example(2))
        world.connect(0, isReady: false)
        #expect(world.end(0) == ["deliver [0, 1], the last"])
        #expect(world.dispositions == [Self.unreachable, Self.unreachable])
        #expect(world.results.values.allSatisfy { $0.requests == 0 })
    }

    @Test("A TLS handshake that hangs is aborted") func tlsHandshakeThatHangsIsAborted() throws {
        var world = LaneWorld(requestTimeout: .seconds(60), connectTimeout: .seconds(5))
        try world.begin(.example(1))
        world.connect(0, isReady: false)
        #expect(world.pass(.milliseconds(4_900)) == [])
        #expect(world.pass(.milliseconds(300)) == ["close 0 abruptly", "deliver [0], the last"])
        #expect(world.results[0]?.detail == "the TLS handshake failed")
        #expect(world.dispositions == [Self.unreachable])
    }

    // MARK: Answers and losses

    @Test("A connection closed without a response produces an unknown outcome")
    func connectionClosedWithoutAResponseProducesAnUnknownOutcome() throws {
        var world = LaneWorld()
        try world.begin(.example(1))
        world.connect(0)
        world.end(0)
        #expect(world.dispositions == [.unknown])
        #expect(world.results[0]?.requests == 1)
        #expect(world.results[0]?.detail == "the connection was lost")
    }

    @Test(
        "A response that arrives before the connection closes is used",
        arguments: [
            (LaneMachine.Answer.taken, PushDisposition.accepted), (.status(400), .rejected),
            (.status(429), .retry(after: nil, cause: .throttled)),
        ])
    func responseThatArrivesBeforeTheConnectionClosesIsUsed(
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
            #expect(world.violations == [])
        }
    }

    @Test("If bytes follow a response, the response is used and the connection is closed")
    func ifBytesFollowAResponseTheResponseIsUsedAndTheConnectionIs() throws {
        var world = LaneWorld(concurrency: 1)
        try world.begin(.example(2))
        world.connect(0)
        #expect(world.break(0, .taken) == ["close 0", "connect 1"])
        #expect(world.connect(1) == ["write 1 to 1"])
        #expect(world.answer(1, .taken) == ["deliver [0, 1], the last"])
        #expect(world.dispositions == [.accepted, .accepted])
    }

    @Test("A response that is not HTTP produces an unknown outcome")
    func responseThatIsNotHTTPProducesAnUnknownOutcome() throws {
        var world = LaneWorld()
        try world.begin(.example(1))
        world.connect(0)
        #expect(
            world.break(0, nil, isMalformed: true) == ["close 0 abruptly", "deliver [0], the last"])
        #expect(world.dispositions == [.unknown])
    }

    @Test("Closing an idle connection is not a failure")
    func closingAnIdleConnectionIsNotAFailure() throws {
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
        #expect(world.violations == [])
    }

    @Test("A push without a valid tag is rejected without a request")
    func pushWithoutAValidTagIsRejectedWithoutARequest() throws {
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

    @Test("A refused token is renewed once for all pushes")
    func refusedTokenIsRenewedOnceForAllPushes() throws {
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

    @Test("A second refusal of the token stops the page")
    func secondRefusalOfTheTokenStopsThePage() throws {
        var world = LaneWorld(concurrency: 1)
        try world.begin(.example(3))
        world.connect(0)
        world.answer(0, .status(401))
        #expect(world.answer(0, .status(401)) == ["deliver [0, 1, 2], the last"])
        #expect(world.dispositions == [.stop(.credentials), .notSent, .notSent])
        #expect(world.results[0]?.requests == 2)
    }

    @Test("A token refreshed in the meantime is not renewed again")
    func tokenRefreshedInTheMeantimeIsNotRenewedAgain() throws {
        var world = LaneWorld()
        try world.begin(.example(1))
        world.connect(0)
        world.tell { machine, _ in machine.tokenChanged() }
        #expect(world.answer(0, .status(401)) == ["write 0 to 0"])
        #expect(world.renewals == 0)
    }

    @Test("The second request uses another connection if the first one closed")
    func secondRequestUsesAnotherConnectionIfTheFirstOneClosed() throws {
        var world = LaneWorld(concurrency: 1)
        try world.begin(.example(1))
        world.connect(0)
        #expect(world.break(0, .status(401)) == ["close 0", "renew", "connect 1"])
        #expect(world.connect(1) == ["write 0 to 1"])
        world.answer(1, .taken)
        #expect(world.dispositions == [.accepted])
        #expect(world.results[0]?.requests == 2)
    }

    @Test("A refused push that waits for a connection is not reported as unsent")
    func refusedPushThatWaitsForAConnectionIsNotReportedAsUnsent() throws {
        var world = LaneWorld(concurrency: 1)
        try world.begin(.example(2))
        world.connect(0)
        world.end(0, .status(401))
        world.cancel(world.pages[0])
        #expect(world.results[1]?.disposition == .notSent)
        #expect(world.failToConnect(1) == ["deliver [0], the last"])
        #expect(world.results[0]?.disposition == Self.unreachable)
        #expect(world.results[0]?.requests == 1)
        #expect(world.violations == [])
    }

    // MARK: Time

    @Test("Requests to a silent hub time out, and no new ones are sent")
    func requestsToASilentHubTimeOutAndNoNewOnesAreSent() throws {
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
        #expect(Set(world.results.values.map(\.detail)) == ["no response in time"])
        #expect(world.violations == [])
    }

    @Test("A hanging push does not affect pushes that get a response")
    func hangingPushDoesNotAffectPushesThatGetAResponse() throws {
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

    @Test("The status is used even if the body never ends")
    func statusIsUsedEvenIfTheBodyNeverEnds() throws {
        var world = LaneWorld(requestTimeout: .seconds(10))
        try world.begin(.example(1))
        world.connect(0)
        #expect(
            world.pass(.seconds(11), known: [0: .taken]) == [
                "close 0 abruptly", "deliver [0], the last",
            ])
        #expect(world.dispositions == [.accepted])
    }

    @Test("A push that never got a connection is not counted as a request")
    func pushThatNeverGotAConnectionIsNotCountedAsARequest() throws {
        var world = LaneWorld(requestTimeout: .seconds(2), connectTimeout: .seconds(300))
        try world.begin(.example(1))
        world.pass(.seconds(3))
        #expect(world.dispositions == [Self.unreachable])
        #expect(world.results[0]?.requests == 0)
        // The connection still opens, and the next page uses it.
        try world.begin(.example(1, firstNumber: 1))
        #expect(world.connect(0) == ["write 1 to 0"])
    }

    @Test("Results are delivered while other pushes hang")
    func resultsAreDeliveredWhileOtherPushesHang() throws {
        var world = LaneWorld()
        try world.begin(.example(3))
        world.connect(0)
        world.connect(1)
        world.answer(1, .taken)
        #expect(world.pass(.milliseconds(600)) == ["deliver [1]"])
    }

    @Test("Pushes start at the given interval") func pushesStartAtTheGivenInterval() throws {
        var world = LaneWorld(concurrency: 8)
        try world.begin(.example(3, interval: .milliseconds(50)))
        #expect(world.connect(0) == ["write 0 to 0"])
        #expect(world.answer(0, .taken) == [])
        #expect(world.pass(.milliseconds(49)) == [])
        #expect(world.pass(.milliseconds(2)) == ["write 1 to 0"])
    }

    @Test("An idle connection is closed after a minute")
    func idleConnectionIsClosedAfterAMinute() throws {
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

    @Test("Cancelling ends pushes that are waiting, but not those in flight")
    func cancellingEndsPushesThatAreWaitingButNotThoseInFlight() throws {
        var world = LaneWorld(concurrency: 2)
        try world.begin(.example(4))
        world.connect(0)
        #expect(world.cancel(world.pages[0]) == ["deliver [2, 3, 1]"])
        // The connection still opens, and the next page can use it.
        #expect(world.connect(1) == [])
        #expect(world.answer(0, .taken) == ["deliver [0], the last"])
        #expect(world.dispositions == [.accepted, .notSent, .notSent, .notSent])
    }

    @Test("A page cancelled before its start sends nothing")
    func pageCancelledBeforeItsStartSendsNothing() throws {
        var world = LaneWorld()
        #expect(try world.begin(.example(2), isCancelled: true) == ["deliver [0, 1], the last"])
        #expect(world.dispositions == [.notSent, .notSent])
        #expect(try world.begin(.example(0)) == ["deliver [], the last"])
    }

    @Test("A stop ends all pages") func stopEndsAllPages() throws {
        var world = LaneWorld(concurrency: 2)
        try world.begin(.example(3, platform: .apns))
        try world.begin(.example(3, platform: .fcm, firstNumber: 3))
        world.connect(0)
        world.answer(0, .status(404))
        #expect(world.isDone)
        #expect(world.results[0]?.disposition == .stop(.hubNotFound))
        #expect((1..<6).allSatisfy { world.results[$0]?.disposition == .notSent })
        #expect(world.violations == [])
    }

    // MARK: Leases

    @Test("An expired lease stops only its own page") func expiredLeaseStopsOnlyItsOwnPage() throws
    {
        var world = LaneWorld(concurrency: 1)
        let lease = RunLease.held()
        try world.begin(.example(4, lease: lease))
        try world.begin(.example(1, firstNumber: 4))
        world.connect(0)
        #expect(world.answer(0, .taken) == ["write 1 to 0"])
        lease.end()
        // The push in flight gets its response.
        #expect(
            world.answer(0, .taken) == [
                "withhold 2 from 0", "deliver [0, 1, 2, 3], the last", "write 4 to 0",
            ])
        #expect(world.dispositions == [.accepted, .accepted, .notSent, .notSent])
        for number in [2, 3] {
            #expect(world.results[number]?.requests == 0)
            #expect(
                world.results[number]?.detail
                    == "the lease had expired, so another process may send the push")
        }
        #expect(world.answer(0, .taken) == ["deliver [4], the last"])
        #expect(world.violations == [])
    }

    @Test("A push is withheld if its lease expires while connecting")
    func pushIsWithheldIfItsLeaseExpiresWhileConnecting() throws {
        var world = LaneWorld(concurrency: 2)
        let lease = RunLease.held()
        try world.begin(.example(2, lease: lease))
        lease.end()
        #expect(world.connect(0) == ["withhold 0 from 0", "connect 1", "deliver [0, 1], the last"])
        #expect(world.dispositions == [.notSent, .notSent])
        #expect(world.results.values.allSatisfy { $0.requests == 0 })
        // Pages that may be sent can use both connections.
        #expect(try world.begin(.example(1, firstNumber: 2)) == ["write 2 to 0"])
        #expect(world.violations == [])
    }

    @Test("A push is withheld if its lease expires between two starts")
    func pushIsWithheldIfItsLeaseExpiresBetweenTwoStarts() throws {
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

    @Test(
        "A refused request is not repeated after its lease has expired", arguments: [true, false])
    func refusedRequestIsNotRepeatedAfterItsLeaseHasExpired(keepsAlive: Bool) throws {
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
        // The hub refused the first request, so the push was not sent.
        #expect(world.results[0]?.requests == 1)
        #expect(world.results[1]?.requests == 0)
        #expect(world.violations == [])
    }

    @Test("After a lease is renewed, the next page is sent")
    func afterALeaseIsRenewedTheNextPageIsSent() throws {
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

    @Test("A shutdown produces a result for every push") func shutdownProducesAResultForEveryPush()
        throws
    {
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
        #expect(world.violations == [])
    }

    @Test("Nothing is sent after a shutdown") func nothingIsSentAfterAShutdown() throws {
        var world = LaneWorld()
        #expect(world.shutDown() == ["finish"])
        #expect(try world.begin(.example(2)) == ["deliver [0, 1], the last"])
        #expect(world.dispositions == [Self.unreachable, Self.unreachable])
        #expect(Set(world.results.values.map(\.detail)) == ["the client has been shut down"])
        #expect(world.violations == [])
    }

    @Test("A shutdown does not wait for a connection attempt")
    func shutdownDoesNotWaitForAConnectionAttempt() throws {
        var world = LaneWorld()
        try world.begin(.example(1))
        #expect(world.shutDown() == ["deliver [0], the last", "finish"])
        #expect(world.connect(0) == ["close 0 abruptly"])
        world.close(0)
        #expect(world.violations == [])
    }

    @Test("A token refused during a shutdown is not retried")
    func tokenRefusedDuringAShutdownIsNotRetried() throws {
        var world = LaneWorld()
        try world.begin(.example(1))
        world.connect(0)
        world.shutDown(known: [0: .status(401)])
        #expect(world.dispositions == [Self.unreachable])
        #expect(world.results[0]?.requests == 1)
        #expect(world.violations == [])
    }
}
