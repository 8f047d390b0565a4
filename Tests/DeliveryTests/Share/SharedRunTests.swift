import CampaignCore
import Delivery
import FoundationEssentials
import PostgreSQLClient
import PostgreSQLDriver
import Storage
import TestPostgreSQL
import TestSupport
import Testing

/// Tests several hosts that work on one run, on a real server.
@Suite(.bounded, .postgreSQL) struct SharedRunTests {
    private func names(_ count: Int) -> [String] {
        ListedAudience.people(count: count).map(\.username.text)
    }

    /// The recipients whose pushes the hub accepted, across all hosts.
    private func accepted(_ hosts: SharedHost...) -> [String] {
        hosts.flatMap(\.sender.accepted).sorted()
    }

    /// The reason why a host left the run to another one; nil if it did not leave, or left for
    /// another reason.
    private func reasonForLeaving(_ summary: RunSummary, _ cause: PauseCause) -> String? {
        guard case .left(cause, let reason, others: 1) = summary.result else { return nil }
        return reason
    }

    @Test("Two hosts send each delivery once, and both report the end")
    func twoHostsSendEachDeliveryOnceAndBothReportTheEnd() async throws {
        let bench = try await SharedBench()
        let (one, begun, others) = try bench.waitingHost("one")
        let two = try bench.host("two") { _, number in
            if number == 200 { others.reach() }
            return .accepted
        }
        async let first = one.run(people: 300)
        await begun.wait()
        let summaries = [try await two.run(people: 300), try await first]
        #expect(summaries.map(\.result) == [.finished, .finished])
        for summary in summaries {
            #expect(summary.outcomes == OutcomeCounts([.accepted: 300]))
            #expect(summary.record.requests == 300)
        }
        #expect(accepted(one, two) == names(300))
        #expect(one.sender.accepted.count > 0 && two.sender.accepted.count >= 200)
        try await bench.store.verify(try await bench.run().id)
    }

    @Test("A host with nothing left to send waits until the run is finished")
    func hostWithNothingLeftToSendWaitsUntilTheRunIsFinished() async throws {
        let bench = try await SharedBench()
        let begun = Milestone()
        let two = try bench.host("two")
        let one = try bench.host("one") { _, _ in
            begun.reach()
            await two.hasOthers.wait()
            return .accepted
        }
        async let first = one.run(people: 3)
        await begun.wait()
        let summaries = [try await two.run(people: 3), try await first]
        #expect(summaries.map(\.result) == [.finished, .finished])
        #expect(summaries.map(\.outcomes[.accepted]) == [3, 3])
        #expect(one.sender.accepted == names(3))
        #expect(two.sender.accepted == [])
    }

    @Test("Two hosts that start at the same time share one run")
    func twoHostsThatStartAtTheSameTimeShareOneRun() async throws {
        let bench = try await SharedBench()
        let (one, two) = (try bench.host("one"), try bench.host("two"))
        async let first = one.run(people: 500)
        async let second = two.run(people: 500)
        let results = [try await first.result, try await second.result]
        #expect(results.allSatisfy { $0 == .finished || $0 == .alreadyFinished })
        #expect(results.contains(.finished))
        #expect(accepted(one, two) == names(500))
        #expect(try await bench.store.runs(campaign: nil, limit: 9).count == 1)
    }

    /// Waits until a condition holds in the store.
    private func wait(for condition: String, at bench: SharedBench) async throws {
        try await bench.execute(
            """
            DO $$
            BEGIN
                FOR tries IN 1..2000 LOOP
                    IF \(condition) THEN RETURN; END IF;
                    PERFORM pg_sleep(0.01);
                END LOOP;
                RAISE 'it does not become so';
            END $$
            """)
    }

    @Test("A host that joins keeps its part during a slow first read")
    func hostThatJoinsKeepsItsPartDuringASlowFirstRead() async throws {
        let bench = try await SharedBench()
        let (one, begun, proceed) = try bench.waitingHost("one")
        let two = try bench.host("two")
        async let first = one.run(people: 3)
        await begun.wait()
        let pool = PostgreSQLPool(bench.address, options: PostgreSQLPoolOptions(connections: 1))
        defer { pool.close() }
        let session = try pool.dedicatedConnection()
        defer { session.close() }
        // Counting outcomes reads all partitions; heartbeats read only the run's own.
        try session.withConnection { try $0.executeScript("BEGIN; LOCK TABLE ONLY deliveries") }
        async let second = two.run(people: 3)
        try await wait(
            for: "EXISTS (SELECT 1 FROM run_members WHERE host = 'two' AND report IS NOT NULL)",
            at: bench)
        try session.withConnection { try $0.executeScript("COMMIT") }
        proceed.reach()
        #expect(try await second.result == .finished)
        #expect(try await first.result == .finished)
    }

    // MARK: A host leaves

    @Test("An interrupted idle host leaves the run to others")
    func interruptedIdleHostLeavesTheRunToOthers() async throws {
        let bench = try await SharedBench()
        let (one, begun, proceed) = try bench.waitingHost("one")
        let two = try bench.host("two")
        async let first = one.run(people: 3)
        await begun.wait()
        let second = Task { try await two.run(people: 3) }
        await two.hasOthers.wait()
        second.cancel()
        let left = try await second.value
        #expect(reasonForLeaving(left, .cancelled) != nil)
        #expect(left.record.state == .running)
        proceed.reach()
        #expect(try await first.result == .finished)
    }

    @Test("Another host sends what an interrupted host had claimed")
    func anotherHostSendsWhatAnInterruptedHostHadClaimed() async throws {
        let bench = try await SharedBench()
        let joined = Milestone()
        let (one, begun) = try bench.hangingHost("one")
        let two = try bench.host("two") { _, number in
            if number == 1 { joined.reach() }
            return .accepted
        }
        let first = Task { try await one.run(people: 300) }
        await begun.wait()
        async let second = two.run(people: 300)
        await joined.wait()
        first.cancel()
        let left = try await first.value
        #expect(reasonForLeaving(left, .cancelled) != nil)
        let summary = try await second
        #expect(summary.result == .finished)
        #expect(summary.record.requests == 300)
        #expect(accepted(one, two) == names(300))
    }

    @Test("A host with refused credentials leaves the run to others")
    func hostWithRefusedCredentialsLeavesTheRunToOthers() async throws {
        let bench = try await SharedBench()
        let (one, begun, others) = try bench.waitingHost("one", .stop(.credentials))
        let two = try bench.host("two") { _, number in
            if number == 200 { others.reach() }
            return .accepted
        }
        async let first = one.run(people: 300)
        await begun.wait()
        let summary = try await two.run(people: 300)
        #expect(summary.result == .finished)
        #expect(two.sender.accepted.sorted() == names(300))
        let left = try await first
        #expect(reasonForLeaving(left, .credentials)?.contains("refused the key") == true)
    }

    // MARK: All hosts end

    @Test("A stop stops all hosts, and a resume sends the remaining pushes")
    func stopStopsAllHostsAndAResumeSendsTheRemainingPushes() async throws {
        let bench = try await SharedBench()
        let (one, oneHangs) = try bench.hangingHost("one")
        let (two, twoHangs) = try bench.hangingHost("two")
        async let first = one.run(people: 300)
        await oneHangs.wait()
        async let second = two.run(people: 300)
        await twoHangs.wait()
        let id = try await bench.run().id
        #expect(try await bench.stopper.stop(id) == .stopped)
        let results = [try await first.result, try await second.result]
        #expect(results == [.stopped, .stopped])
        #expect(try await bench.run().state == .stopped)
        #expect(accepted(one, two).count >= 12)

        let third = try bench.host("third")
        let summary = try await third.runner.resume(id, at: TestBench.hub)
        #expect(summary.result == .finished)
        #expect(summary.outcomes == OutcomeCounts([.accepted: 300]))
        #expect(accepted(one, two, third) == names(300))
    }

    @Test("Too many failures across all hosts pause all of them")
    func tooManyFailuresAcrossAllHostsPauseAllOfThem() async throws {
        let bench = try await SharedBench()
        // Neither host reaches the limit alone.
        let campaign = try SharedBench.campaign(stopWhen: FailureLimit(percent: 50, minimum: 10))
        let hanging = Milestone()
        let hosts = try (0..<2).map { index in
            try bench.host("host-\(index)") { _, number in
                guard number > 5 else { return .rejected }
                hanging.reach()
                await HostSender.hang()
                return .accepted
            }
        }
        async let first = hosts[0].run(campaign, people: 300)
        await hanging.wait()
        async let second = hosts[1].run(campaign, people: 300)
        let results = [try await first.result, try await second.result]
        #expect(results[0] == results[1])
        let reason = try #require(results[0].reason(toPause: .tooManyFailures))
        #expect(reason.contains("10 of the 10 deliveries"))
        let run = try await bench.run()
        #expect(run.state == .paused)
        #expect(run.pause == .person)
    }

    @Test("A host continues if a stop request is withdrawn")
    func hostContinuesIfAStopRequestIsWithdrawn() async throws {
        let bench = try await SharedBench()
        let begun = Milestone()
        let one = try bench.host("one") { _, number in
            if number == 1 {
                begun.reach()
                await HostSender.hang()
            }
            return .accepted
        }
        async let summary = one.run(people: 300)
        await begun.wait()
        let id = try await bench.run().id
        let other = try #require(
            try await bench.store.sharing?.join(
                id, as: WorkerProcess(host: "other", number: 1, version: "1"), holding: nil))
        try await bench.store.requestStop(id, .resumable)
        // The host has ended its work and waits for the other.
        try await wait(for: "NOT EXISTS (SELECT 1 FROM run_members WHERE host = 'one')", at: bench)
        try await bench.store.clearStopRequest(id)
        try await other.leave()
        #expect(try await summary.result == .finished)
        #expect(one.sender.accepted.sorted() == names(300))
    }

    // MARK: A host dies

    @Test("Under hold, claims of a dead host end as unknown")
    func underHoldClaimsOfADeadHostEndAsUnknown() async throws {
        let bench = try await SharedBench()
        let (one, begun, proceed) = try bench.waitingHost("one")
        async let summary = one.run(people: 300)
        await begun.wait()
        let id = try await bench.run().id
        let gone = try await claim(20, of: id, at: bench)
        proceed.reach()
        #expect(try await summary.result == .finished)
        #expect(try await summary.outcomes == OutcomeCounts([.accepted: 280, .unknown: 20]))
        await #expect(throws: RunPartLost(id)) {
            try await gone.part.ledger.record(
                gone.claims.map {
                    DeliveryRecord(
                        number: $0.number, platform: .apns, state: .ended(.accepted), attempts: 1,
                        isUncertain: false, detail: "", hubMessage: nil, recordedAt: Date())
                }, requests: 20, of: id)
        }
        #expect(try await bench.store.outcomes(id)[.unknown] == 20)
        #expect(Set(one.sender.accepted).count == 280)
    }

    @Test("Under resend, claims of a dead host are sent again")
    func underResendClaimsOfADeadHostAreSentAgain() async throws {
        let bench = try await SharedBench()
        let campaign = try TestBench.campaign(
            delivery: DeliveryPolicy(rate: 200, concurrency: 10, onUnknown: .resend))
        let (one, begun, proceed) = try bench.waitingHost("one")
        async let summary = one.run(campaign, people: 250)
        await begun.wait()
        let id = try await bench.run().id
        let gone = try await claim(20, of: id, at: bench)
        proceed.reach()
        #expect(try await summary.result == .finished)
        #expect(try await summary.outcomes == OutcomeCounts([.accepted: 250]))
        #expect(one.sender.accepted.sorted() == names(250))
        let again = Set(gone.claims.map(\.username))
        let rows = try await bench.store.reportPage(id, after: 0, recipients: 250).rows
        #expect(Set(rows.filter { $0.attempts == 2 }.map(\.recipient)) == again)
    }

    /// Claims deliveries like a host whose lease then expires.
    private func claim(
        _ count: Int, of id: RunID, at bench: SharedBench
    ) async throws -> (part: any RunPart, claims: [DeliveryClaim]) {
        let process = WorkerProcess(host: "gone", number: 1, version: "1")
        let sharing = try #require(bench.store.sharing)
        var joined: (any RunPart)?
        // A process cannot join while another process changes the members.
        while joined == nil { joined = try await sharing.join(id, as: process, holding: nil) }
        let part = try #require(joined)
        let page = try await part.ledger.claimNext(
            id, platform: .apns, limit: count, cap: nil, at: Date())
        #expect(page.claims.count == count)
        try await bench.execute("UPDATE run_members SET until = '-infinity' WHERE host = 'gone'")
        return (part, page.claims)
    }

    @Test("A host that comes back late writes nothing and joins again")
    func hostThatComesBackLateWritesNothingAndJoinsAgain() async throws {
        let bench = try await SharedBench()
        let (begun, late, proceed) = (Milestone(), Milestone(), Milestone())
        let one = try bench.host("one") { _, _ in
            begun.reach()
            await proceed.wait()
            return .accepted
        }
        let two = try bench.host("two") { _, number in
            // The first push of each of the host's two pages.
            if number <= 2 {
                late.reach()
                await HostSender.hang()
            }
            return .accepted
        }
        async let first = one.run(people: 300)
        await begun.wait()
        async let second = two.run(people: 300)
        await late.wait()
        try await bench.execute(
            """
            SELECT 1 FROM run_members WHERE host = 'two' FOR UPDATE;
            UPDATE claimed_pages SET member = NULL, serial = NULL
                WHERE member = (SELECT member FROM run_members WHERE host = 'two');
            UPDATE deliveries SET member = NULL
                WHERE member = (SELECT member FROM run_members WHERE host = 'two');
            DELETE FROM run_members WHERE host = 'two';
            """)
        proceed.reach()
        let results = [try await first.result, try await second.result]
        #expect(results == [.finished, .finished])
        let id = try await bench.run().id
        let outcomes = try await bench.store.outcomes(id)
        #expect(outcomes[.unknown] > 0)
        #expect(outcomes[.accepted] + outcomes[.unknown] == 300)
        let sent = accepted(one, two)
        #expect(Set(sent).count == sent.count, "nobody twice")
        let inFlight = try #require(two.sender.accepted.first)
        let rows = try await bench.store.reportRows(id, of: Username(checked: inFlight))
        #expect(rows.map(\.outcome) == [.unknown])
    }

    // MARK: Workers

    @Test("A worker continues a run that no process is sending")
    func workerContinuesARunThatNoProcessIsSending() async throws {
        let bench = try await SharedBench()
        let (one, begun) = try bench.hangingHost("one")
        let first = Task { try await one.run(people: 300) }
        await begun.wait()
        first.cancel()
        guard case .paused(.cancelled, _) = try await first.value.result else {
            Issue.record("nobody else was there")
            return
        }
        let id = try await bench.run().id
        let worker = try bench.host("worker")
        #expect(try await worker.runner.takePart(in: id, at: TestBench.hub) == nil)
        // The state that a killed process leaves behind.
        try await bench.store.setState(.running, reason: nil, of: id, at: Date())
        let summary = try await worker.runner.takePart(in: id, at: TestBench.hub)
        #expect(summary?.result == .finished)
        #expect(accepted(one, worker) == names(300))
        await #expect(throws: RunError.self) {
            try await bench.store.setState(.running, reason: nil, of: id, at: Date())
            _ = try await worker.runner.takePart(
                in: id, at: HubIdentity(host: "hub.example", name: "other"))
        }
    }

    // MARK: A server that hangs

    /// Applies to both `run` and `worker`.
    @Test(
        "If a run's database sessions hang, the run continues in new sessions",
        arguments: [false, true])
    func ifARunsDatabaseSessionsHangTheRunContinuesInNewSessions(isWorker: Bool) async throws {
        let bench = try await SharedBench(limit: .seconds(1))
        let (one, hangs) = try bench.hangingHost("one")
        if isWorker {
            let first = Task { try await one.run(people: 60) }
            await hangs.wait()
            first.cancel()
            let id = try await first.value.record.id
            try await bench.store.setState(.running, reason: nil, of: id, at: Date())
        }
        let (host, begun, proceed) = try bench.waitingHost("two")
        let call = Task {
            try await isWorker
                ? host.runner.takePart(in: bench.run().id, at: TestBench.hub)
                : host.run(people: 60)
        }
        await begun.wait()
        let stopped = try await PostgreSQLServer.shared.stopSessions(of: bench.role)
        proceed.reach()
        let summary = try await call.value
        #expect(summary?.result == .finished)
        #expect(summary?.outcomes == OutcomeCounts([.accepted: 60]))
        #expect(accepted(one, host) == names(60))
        withExtendedLifetime(stopped) {}
    }
}
