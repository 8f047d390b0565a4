import CampaignCore
import PostgreSQLClient
import Storage

/// One renewal of a part, which also tells the process's report and hears the news.
struct PartExchange {
    /// How the run stands at one moment, and who has something left to do.
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

    /// - Parameters:
    ///   - part: the part that is renewed.
    ///   - comeback: is told when the part's lease had ended.
    ///   - report: what the process tells.
    ///   - text: the report as the store keeps it.
    ///   - told: the rate that the process was told last; nil: it was told no rate yet.
    ///   - lease: how long the part lasts from now on.
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
    /// Each process does this twice a second, so it touches only the rows of the run and its members, and a few indexes. It locks
    /// nothing but its own row, unless the process gets more of the run's rate than it has.
    ///
    /// - Parameter db: the connection, in a transaction that writes.
    /// - Throws: `RunPartLost`.
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
            // Two processes that see the same free rest must not both get it. And none waits here for a process that stands still.
            let isFree = try TransactionLock.rate.takeIfFree(part.key, db)
            slice = RateSlice(
                of: rate, keeping: report.rate, told: told, besides: try othersRates(db),
                atMost: isFree ? .infinity : own.rate ?? 0)
        }
        try renew(rate: slice?.column, db)
        try ClaimedPages.close(report.closed, of: part, db)
        let tellsFault = report.fault != nil && standing.fault == nil
        if tellsFault { try tellFault(db) }
        // The server may forget a mere renewal when it ends without notice. It must not forget what others rely on.
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

    /// One statement sees one moment: a delivery that passes from one process to another meanwhile is seen at one of them.
    ///
    /// The server uses the index of open deliveries by member, because of the order and of `state < 2`. Without these it would read all
    /// deliveries, since it does not know that deliveries of nobody are hardly ever open.
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

    /// Renews the part, even one whose lease has ended, as long as nobody has taken it over.
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

    /// Writes the fault down, unless another process has written one before: the first fault counts.
    private func tellFault(_ db: PostgreSQLConnection) throws {
        try db.execute(
            "UPDATE runs SET fault = coalesce(fault, $2) WHERE key = $1",
            [part.key, report.fault.map(StoredText.encode)])
    }
}
