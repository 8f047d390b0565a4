import CampaignCore
import PostgreSQLClient
import Storage
import Synchronization

extension ServerPart {
    func exchange(_ report: WorkerReport) async throws -> RunNews {
        let (news, end) = try await write(isHeld: false) { db in
            // The lease is measured from the beginning of the successful try; there may be several
            // tries during an outage.
            let end = ContinuousClock.now + store.heldLease
            return (try exchange(report, db), end)
        }
        lease?.extend(until: end)
        memory.told.withLock { $0 = news.rate }
        return news
    }

    /// Renews the part, stores the process's report and returns the run's news.
    ///
    /// Each process does this twice a second, so it touches only rows of the run and its members,
    /// and a few indexes. It locks only its own row, unless the process gets a higher rate.
    private func exchange(_ report: WorkerReport, _ db: PostgreSQLConnection) throws -> RunNews {
        guard let standing = try db.row(Self.standing(of: key), [key, member]) else {
            throw StoreError.noSuchRun(runID)
        }
        guard let state = RunState(rawValue: try standing.text(0)) else { throw DamagedValue() }
        let tooManyFailures = try standing.optionalText(2).map(StoredText.decode)
        let policy: DeliveryPolicy = try StoredJSON.decode(standing.text(3))
        let members = try RunMember.all(of: key, db)
        guard let own = members.first(where: { $0.worker.id == member }) else { throw lost() }
        if !own.isAlive { store.comeback.note() }
        let others = members.filter { $0.worker.id != member }
        let told = memory.told.withLock(\.self)
        var slice = policy.rate.map {
            RateSlice(of: $0, keeping: report.rate, told: told, besides: others.map(\.rate))
        }
        let getsMore = (slice?.column ?? 0) > (own.rate ?? 0)
        if getsMore, let rate = policy.rate {
            // Two processes must not both get the same free rate, and no process waits here for a
            // suspended one.
            let isFree = try db.tryLock(.rate, "\(key)")
            let rates = try db.rows(
                "SELECT rate FROM run_members WHERE run = $1 AND member <> $2", [key, member])
            slice = RateSlice(
                of: rate, keeping: report.rate, told: told,
                besides: try rates.map { try $0.optionalDouble(0) },
                atMost: isFree ? .infinity : own.rate ?? 0)
        }
        try renew(report, rate: slice?.column, db)
        try ClaimedPages.close(report.closed, of: self, db)
        let recordsFailures = report.tooManyFailures != nil && tooManyFailures == nil
        if recordsFailures {
            // An earlier error from another process is kept.
            try db.execute(
                "UPDATE runs SET fault = coalesce(fault, $2) WHERE key = $1",
                [key, report.tooManyFailures.map(StoredText.encode)])
        }
        // A server that crashes may forget a mere renewal, but nothing that others rely on.
        if !getsMore, report.closed.isEmpty, !recordsFailures {
            try db.executeScript("SET LOCAL synchronous_commit = off")
        }
        return RunNews(
            state: state, stopRequest: StopMode(rawValue: try standing.int(1)),
            tooManyFailures: tooManyFailures ?? report.tooManyFailures,
            others: others.filter(\.isAlive).map(\.worker),
            rate: slice?.granted,
            hasAbandoned: try standing.bool(4)
                || !store.comeback.isRecent && others.contains { !$0.isAlive },
            hasFree: try standing.bool(5), othersHaveWork: try standing.bool(6),
            mayLackWrites: try standing.text(7) != server)
    }

    /// There is one snapshot, so that a delivery that moves between processes is counted for
    /// exactly one of them.
    ///
    /// The order and `state < 2` make the server use the index of open deliveries by member;
    /// otherwise, it would read all rows.
    private static func standing(of run: Int64) -> String {
        let deliveries = RunPartitions.table("deliveries", of: run)
        func pages(_ condition: String) -> String {
            "EXISTS (SELECT 1 FROM claimed_pages WHERE run = $1 AND member \(condition))"
        }
        func open(_ condition: String) -> String {
            """
            (SELECT true FROM \(deliveries) WHERE run = $1 AND state < 2 AND member \(condition)
                ORDER BY run, member, state, platform, number LIMIT 1) IS NOT NULL
            """
        }
        return """
            SELECT state, stop_request, fault, delivery,
                \(pages("IS NULL"))
                    OR \(open("IS NULL AND state = \(DeliveryState.sending.rawValue)")),
                \(open("IS NULL AND state = \(DeliveryState.waiting.rawValue)")),
                \(pages("< $2")) OR \(pages("> $2")) OR \(open("< $2")) OR \(open("> $2")),
                \(serverStart), \(haste)
            FROM runs WHERE key = $1
            """
    }

    /// Renews the part, even if it has expired, as long as nobody has taken it over.
    private func renew(
        _ report: WorkerReport, rate: Double?, _ db: PostgreSQLConnection
    ) throws {
        let count = try db.execute(
            """
            UPDATE run_members SET until = clock_timestamp() + make_interval(secs => $3),
                seen = clock_timestamp(), rate = $4, requests = greatest(requests, $5), report = $6
            WHERE run = $1 AND member = $2
            """,
            [
                key, member, store.lease / .seconds(1), rate, report.requests,
                try StoredReport(report).encoded(),
            ])
        guard count > 0 else { throw lost() }
    }
}
