import CampaignCore
import FoundationEssentials
import PostgreSQLClient
import Storage
import StoreConformance
import TestPostgreSQL
import TestSupport
import Testing

@testable import PostgreSQLDriver

@Suite(.bounded, .postgreSQL) struct ExchangeTests {
    /// The numbers are about equal, because shares are rounded down a little.
    private static func isAbout(_ rate: Double?, _ expected: Double) -> Bool {
        rate.map { $0 <= expected && $0 > expected * 0.999 } ?? false
    }

    @Test("The other parts see what a part reports")
    func otherPartsSeeWhatAPartReports() async throws {
        let shared = try await RunOnServer()
        let (part, other) = (try await shared.join("a"), try await shared.join("b"))
        var outcomes = OutcomeCounts([.accepted: 5, .skipped: 3, .failed: 1])
        (outcomes.tooLate, outcomes.expired, outcomes.revoked) = (1, 1, 1)
        var report = WorkerReport(
            outcomes: outcomes, requests: 11,
            traffic: [.apns: PlatformTraffic(answers: 10, throttled: 2)], rate: 12.75, closed: [3])
        let own = try await part.exchange(report)
        #expect(own.state == .running)
        #expect(own.others.map(\.process.host) == ["b"])
        #expect(own.others.map(\.report) == [WorkerReport()])

        let news = try await other.exchange(WorkerReport())
        report.closed = []
        #expect(news.others.map(\.report) == [report])
        #expect(news.others.map(\.id) == [part.member])
        #expect(
            news.others.map(\.process) == [WorkerProcess(host: "a", number: 7, version: "1.2.3")])
        #expect(!news.hasAbandoned)

        // A part with an expired lease is not counted, and its deliveries are abandoned.
        try await shared.expire(part)
        let later = try await other.exchange(WorkerReport())
        #expect(later.others.isEmpty)
        #expect(later.hasAbandoned)
    }

    @Test("An exchange returns stop requests and the run's state")
    func exchangeReturnsStopRequestsAndTheRunsState() async throws {
        let shared = try await RunOnServer()
        let part = try await shared.join()
        #expect(try await part.exchange(WorkerReport()).stopRequest == nil)
        try await shared.store.requestStop(shared.run.id, .resumable)
        #expect(try await part.exchange(WorkerReport()).stopRequest == .resumable)
        try await shared.store.setState(
            .paused, reason: nil, of: shared.run.id, at: Samples.start + 1)
        #expect(try await part.exchange(WorkerReport()).state == .paused)
    }

    @Test("After a failover, a part is warned that recent writes may be missing")
    func afterAFailoverAPartIsWarnedThatRecentWritesMayBeMissing() async throws {
        let shared = try await RunOnServer()
        let part = try await shared.join()
        #expect(try await !part.exchange(WorkerReport()).mayLackWrites)
        #expect(try await moved(part).exchange(WorkerReport()).mayLackWrites)
    }

    @Test("After a failover, closed pages stay in the store until they are reported again")
    func afterAFailoverClosedPagesStayInTheStoreUntilTheyAreReported() async throws {
        let shared = try await RunOnServer()
        let part = try await shared.join()
        let page = try await part.claim(2)
        let done = WorkerReport(closed: [try #require(page.id)])

        _ = try await moved(part).exchange(done)
        #expect(try await shared.count("claimed_pages") == 1, "its outcomes may be lost")

        _ = try await part.exchange(done)
        #expect(try await shared.count("claimed_pages") == 0)
    }

    /// The part as it would be after a failover.
    private func moved(_ part: ServerPart) -> ServerPart {
        ServerPart(
            store: part.store, runID: part.runID, key: part.key, member: part.member,
            server: "2026-12-01 09:00:00+00", lease: part.lease)
    }

    @Test("Every part sees a reported error until it is handled")
    func everyPartSeesAReportedErrorUntilItIsHandled() async throws {
        let shared = try await RunOnServer()
        let (part, other) = (try await shared.join("a"), try await shared.join("b"))
        #expect(try await other.exchange(WorkerReport()).tooManyFailures == nil)
        let told = try await part.exchange(WorkerReport(tooManyFailures: "too many \u{0} failed"))
        #expect(told.tooManyFailures == "too many \u{0} failed")
        // The first error is kept.
        let news = try await other.exchange(WorkerReport(tooManyFailures: "something else"))
        #expect(news.tooManyFailures == "too many \u{0} failed")
        try await part.leave()
        #expect(try await other.exchange(WorkerReport()).tooManyFailures == "too many \u{0} failed")
        // The part that reported the error may no longer exist when the run is paused, or another
        // part may have paused it for a temporary reason.
        for pause in [nil, RunPause.passing, .person] {
            if let pause {
                try await shared.store.setState(
                    .paused, reason: "no", pause: pause, of: shared.run.id, at: Samples.start + 1)
            }
            try await shared.store.setState(
                .running, reason: nil, of: shared.run.id, at: Samples.start + 1)
            let fault = try await other.exchange(WorkerReport()).tooManyFailures
            #expect(fault == (pause == .person ? nil : "too many \u{0} failed"))
        }
    }

    @Test("Closed pages are deleted") func closedPagesAreDeleted() async throws {
        let shared = try await RunOnServer(people: 9)
        let (part, other) = (try await shared.join("a"), try await shared.join("b"))
        try await shared.server.execute(
            """
            INSERT INTO claimed_pages
            SELECT key, 0, n, n, CASE WHEN n = 1 THEN \(other.member)
                ELSE \(part.member) END, greatest(1, n - 1)
            FROM runs, generate_series(1, 4) n
            """)
        _ = try await part.exchange(WorkerReport(closed: [1, 3, 9]))
        let left = try await shared.store.read { db in
            try db.rows("SELECT first FROM claimed_pages ORDER BY first").map { try $0.int(0) }
        }
        #expect(left == [1, 3])
    }

    @Test(
        "An exchange says which deliveries are waiting and for which part",
        arguments: [
            ("INSERT INTO claimed_pages SELECT key, 0, 1, 3, NULL, NULL FROM runs", "abandoned"),
            ("INSERT INTO claimed_pages SELECT key, 0, 1, 3, OTHER, 1 FROM runs", "others"),
            ("INSERT INTO claimed_pages SELECT key, 0, 1, 3, OWN, 1 FROM runs", ""),
            (delivery(state: 0, of: "NULL"), "abandoned"),
            (delivery(state: 0, of: "OTHER"), "others"),
            (delivery(state: 0, of: "OWN"), ""), (delivery(state: 1, of: "NULL"), "free"),
            (delivery(state: 1, of: "OTHER"), "others"), (delivery(state: 1, of: "OWN"), ""),
            (delivery(state: 2, of: "NULL"), ""),
        ])
    func exchangeSaysWhichDeliveriesAreWaitingAndForWhichPart(
        _ statement: String, _ expected: String
    )
        async throws
    {
        let shared = try await RunOnServer()
        let first = try await shared.join("before")
        let (part, other) = (try await shared.join("a"), try await shared.join("b"))
        // A part sees the work of the other part, whichever joined first.
        for other in [first, other] {
            try await shared.server.execute(
                statement.replacing("OWN", with: "\(part.member)")
                    .replacing("OTHER", with: "\(other.member)"))
            let news = try await part.exchange(WorkerReport())
            #expect(news.hasAbandoned == (expected == "abandoned"))
            #expect(news.hasFree == (expected == "free"))
            #expect(news.othersHaveWork == (expected == "others"))
            try await shared.server.execute("DELETE FROM claimed_pages; DELETE FROM deliveries")
        }
    }

    private static func delivery(state: Int, of member: String) -> String {
        "INSERT INTO deliveries SELECT key, 0, 1, \(state), 1, false, 0, NULL, NULL, \(member) FROM runs"
    }

    @Test("A second part gets its rate after the first part lowers its own")
    func secondPartGetsItsRateAfterTheFirstPartLowersItsOwn() async throws {
        let shared = try await RunOnServer(rate: 100)
        let part = try await shared.join("a")
        #expect(Self.isAbout(try await part.exchange(WorkerReport()).rate, 100))
        let other = try await shared.join("b")
        #expect(try await other.exchange(WorkerReport()).rate == 0)
        let less = try #require(try await part.exchange(WorkerReport(rate: 99.99)).rate)
        #expect(Self.isAbout(less, 50))
        // The part knows the new rate, but may still be sending earlier requests.
        #expect(try await other.exchange(WorkerReport()).rate == 0)
        _ = try await part.exchange(WorkerReport(rate: less))
        let share = try #require(try await other.exchange(WorkerReport()).rate)
        #expect(Self.isAbout(share, 50))
        // The rate of a dead worker is available once another part has taken it over.
        try await shared.expire(part)
        #expect(Self.isAbout(try await other.exchange(WorkerReport(rate: share)).rate, 50))
        try await shared.takeOver()
        #expect(Self.isAbout(try await other.exchange(WorkerReport(rate: share)).rate, 100))
    }

    @Test("A granted rate is taken into account before its part has seen it")
    func grantedRateIsTakenIntoAccountBeforeItsPartHasSeenIt() async throws {
        let shared = try await RunOnServer(rate: 100)
        let part = try await shared.join("a")
        let all = try #require(try await part.exchange(WorkerReport()).rate)
        let other = try await shared.join("b")
        // The report was made before the response arrived.
        #expect(Self.isAbout(try await part.exchange(WorkerReport()).rate, 50))
        #expect(try await other.exchange(WorkerReport()).rate == 0)
        #expect(try await shared.store.number("SELECT sum(rate)::bigint FROM run_members") == 100)
        #expect(all < 100)
    }

    @Test("In a run without a rate, no part is limited") func inARunWithoutARateNoPartIsLimited()
        async throws
    {
        let shared = try await RunOnServer(rate: nil)
        let (part, other) = (try await shared.join("a"), try await shared.join("b"))
        #expect(try await part.exchange(WorkerReport()).rate == nil)
        #expect(try await other.exchange(WorkerReport(rate: 40)).rate == nil)
    }

    @Test("Together, parts that request rates at the same time never exceed the rate")
    func togetherPartsThatRequestRatesAtTheSameTimeNeverExceedTheRate() async throws {
        let shared = try await RunOnServer(rate: 60)
        let parts = try await [shared.join("a"), shared.join("b"), shared.join("c")]
        var rates: [Double?] = parts.map { _ in nil }
        for _ in 0..<6 {
            rates = try await withThrowingTaskGroup(of: (Int, Double?).self) { tasks in
                for (index, part) in parts.enumerated() {
                    let report = WorkerReport(rate: rates[index])
                    tasks.addTask { (index, try await part.exchange(report).rate) }
                }
                return try await tasks.reduce(into: rates) { $0[$1.0] = $1.1 }
            }
            let sum = rates.reduce(0) { $0 + ($1 ?? 0) }
            #expect(sum <= 60)
        }
        for rate in rates { #expect(Self.isAbout(rate, 20)) }
    }
}
