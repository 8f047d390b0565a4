import CampaignCore
import PostgreSQLClient
import Storage

/// One renewal of a part, with the process's report and the run's news.
struct PartExchange {
    private struct Standing {
        let state: RunState
        let stopRequest: StopMode?
        let fault: String?
        let rate: Double?
        let hasAbandoned: Bool
        let hasFree: Bool
        let othersHaveWork: Bool
        let server: String
    }

    private let part: PartBinding
    private let comeback: Comeback
    private let report: WorkerReport
    private let text: String
    private let told: Double?
    private let lease: Duration

    /// `comeback` notes an expired lease; `told` is the rate that the process was told last.
    init(
        _ part: PartBinding, _ comeback: Comeback, _ report: WorkerReport, text: String,
        told: Double?, lease: Duration
    ) {
        self.part = part
        self.comeback = comeback
        self.report = report
        self.text = text
        self.told = told
        self.lease = lease
    }

    /// Renews the part.
    ///
    /// Each process does this twice a second, so it only touches rows of the run and its members,
    /// and a few indexes. It only locks its own row, unless the process gets a higher rate.
    func run(_ db: PostgreSQLConnection) throws -> RunNews {
        let standing = try standing(db)
        let members = try RunMember.all(of: part.key, db)
        guard let own = members.first(where: { $0.worker.id == part.member }) else {
            throw part.lost()
        }
        if !own.isAlive { comeback.note() }
        let others = members.filter { $0.worker.id != part.member }
        var slice = standing.rate.map {
            RateSlice(of: $0, keeping: report.rate, told: told, besides: others.map(\.rate))
        }
        let getsMore = (slice?.column ?? 0) > (own.rate ?? 0)
        if getsMore, let rate = standing.rate {
            // Two processes must not both get the same free rate, and none waits here for a
            // suspended one.
            let isFree = try TransactionLock.rate.takeIfFree(part.key, db)
            slice = RateSlice(
                of: rate, keeping: report.rate, told: told, besides: try othersRates(db),
                atMost: isFree ? .infinity : own.rate ?? 0)
        }
        try renew(rate: slice?.column, db)
        try ClaimedPages.close(report.closed, of: part, db)
        let tellsFault = report.fault != nil && standing.fault == nil
        if tellsFault { try tellFault(db) }
        // A crashing server may forget a mere renewal, but not what others rely on.
        if !getsMore, report.closed.isEmpty, !tellsFault {
            try db.executeScript("SET LOCAL synchronous_commit = off")
        }
        return RunNews(
            state: standing.state, stopRequest: standing.stopRequest,
            fault: standing.fault ?? report.fault,
            others: others.filter(\.isAlive).map(\.worker), rate: slice?.granted,
            hasAbandoned: standing.hasAbandoned
                || !comeback.isRecent && others.contains { !$0.isAlive },
            hasFree: standing.hasFree, othersHaveWork: standing.othersHaveWork,
            mayLackWrites: standing.server != part.server)
    }

    private func standing(_ db: PostgreSQLConnection) throws -> Standing {
        guard let row = try db.row(Self.standing(of: part.key), [part.key, part.member]) else {
            throw StoreError.noSuchRun(part.run)
        }
        guard let state = RunState(rawValue: try row.text(0)) else { throw DamagedValue() }
        let policy: DeliveryPolicy = try StoredJSON.decode(row.text(3))
        return Standing(
            state: state, stopRequest: StopMode(rawValue: try row.int(1)),
            fault: try row.optionalText(2).map(StoredText.decode), rate: policy.rate,
            hasAbandoned: try row.bool(4), hasFree: try row.bool(5),
            othersHaveWork: try row.bool(6), server: try row.text(7))
    }

    /// One snapshot: a delivery that moves between processes is seen at one of them.
    ///
    /// The order and `state < 2` make the server use the index of open deliveries by member;
    /// otherwise it would read all.
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
                \(ServerTime.serverStart), \(PartBinding.haste)
            FROM runs WHERE key = $1
            """
    }

    private func othersRates(_ db: PostgreSQLConnection) throws -> [Double?] {
        try db.rows(
            "SELECT rate FROM run_members WHERE run = $1 AND member <> $2",
            [part.key, part.member]
        ).map { try $0.optionalDouble(0) }
    }

    /// Renews the part, even an expired one, as long as nobody has taken it over.
    private func renew(rate: Double?, _ db: PostgreSQLConnection) throws {
        let count = try db.execute(
            """
            UPDATE run_members SET until = clock_timestamp() + make_interval(secs => $3),
                seen = clock_timestamp(), rate = $4, requests = greatest(requests, $5), report = $6
            WHERE run = $1 AND member = $2
            """,
            [part.key, part.member, lease / .seconds(1), rate, report.requests, text])
        guard count > 0 else { throw part.lost() }
    }

    /// Records the fault, unless another process was first.
    private func tellFault(_ db: PostgreSQLConnection) throws {
        try db.execute(
            "UPDATE runs SET fault = coalesce(fault, $2) WHERE key = $1",
            [part.key, report.fault.map(StoredText.encode)])
    }
}
