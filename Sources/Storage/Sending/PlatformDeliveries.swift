package import CampaignCore
import FoundationEssentials

/// A run's deliveries on one platform, for claiming.
package struct PlatformDeliveries {
    package let run: StoredRun
    package let platform: RunPlatform
    private let db: any SQLConnection

    package init(of run: RunID, on platform: Platform, _ db: any SQLConnection) throws {
        self.run = try StoredRun(of: run, db)
        self.platform = try RunPlatform.find(platform, of: self.run, id: run, db)
        self.db = db
    }

    /// Claimed deliveries without an outcome; the interrupted attempt is counted, because it may
    /// have been sent.
    package func interrupted(
        after number: Int, limit: Int, _ keyring: PayloadKeyring
    ) throws -> [DeliveryClaim] {
        var claims: [DeliveryClaim] = []
        for cursor in try ClaimedRanges(of: run, on: platform, db).cursors
        where number < cursor.claimed.upperBound && claims.count < limit {
            let numbers = max(number, cursor.claimed.lowerBound)..<cursor.claimed.upperBound
            claims += try NumberSteps.collect(numbers, limit: limit - claims.count) { step, limit in
                try fetch(
                    Self.interrupted(db.dialect), [step.lowerBound, step.upperBound, limit],
                    isDense: true, keyring)
            }
        }
        return claims
    }

    private static func interrupted(_ dialect: SQLDialect) -> String {
        """
        SELECT r.number, r.name, r.notification, coalesce(d.attempts, 0) + 1 AS attempts,
            true AS is_uncertain
        FROM recipients r
        \(delivery(dialect))
        WHERE r.run = ?1 AND r.number > ?3 AND r.number <= ?4
            AND (d.number IS NULL OR d.state = \(DeliveryState.sending.rawValue))
        ORDER BY r.number LIMIT ?5
        """
    }

    package func waiting(
        after number: Int, through last: Int?, limit: Int, _ keyring: PayloadKeyring
    ) throws -> [DeliveryClaim] {
        try fetch(
            Self.waiting(db.dialect), [number, last ?? .max, limit], isDense: false, keyring)
    }

    /// `state < 2` lets the database use the small index of open deliveries.
    private static func waiting(_ dialect: SQLDialect) -> String {
        """
        SELECT d.number, r.name, r.notification, d.attempts, d.is_uncertain
        FROM (
            SELECT number, attempts, is_uncertain
            FROM deliveries \(dialect.hint("deliveries_open"))
            WHERE run = ?1 AND platform = ?2 AND number > ?3 AND number <= ?4 AND state < 2
                AND state = \(DeliveryState.waiting.rawValue)
            ORDER BY number LIMIT ?5
        ) d
        \(dialect.lookUp("recipients", as: "r", where: "r.run = ?1 AND r.number = d.number"))
        """
    }

    private func fetch(
        _ page: String, _ values: [any SQLBindable], isDense: Bool, _ keyring: PayloadKeyring
    ) throws -> [DeliveryClaim] {
        try ClaimQuery.fetch(
            page, [run.key, platform.position] + values, isDense: isDense, of: run,
            on: platform.platform, keyring: keyring, db)
    }

    /// Marks waiting deliveries as `sending`.
    package func claimAgain(_ numbers: some Collection<Int>, at time: Int64) throws {
        let greatest = db.dialect.greatest
        try db.run(
            """
            UPDATE run_platforms SET claimed_at = \(greatest)(claimed_at, ?3)
            WHERE run = ?1 AND position = ?2
            """, [run.key, platform.position, time])
        try db.updateDeliveries(
            of: run.key,
            set: """
                state = \(DeliveryState.sending.rawValue), recorded = ?4\(db.dialect.disowned)
                """,
            where: """
                run = ?1 AND platform = ?2 AND number \(db.dialect.isAmong("?3"))
                    AND state = \(DeliveryState.waiting.rawValue)
                """,
            [run.key, platform.position, StoredJSON.encode(Array(numbers)), time])
    }

    /// The next people who were never claimed, by name within each wave.
    package func unclaimed(
        after number: Int, limit: Int
    ) throws -> (people: [Username], last: Int) {
        for open in try ClaimedRanges(of: run, on: platform, db).cursors.map(\.open)
        where number < open.upperBound {
            let numbers = max(number, open.lowerBound)..<open.upperBound
            let people = try NumberSteps.collect(numbers, limit: limit) { step, limit in
                try db.rows(
                    "SELECT r.name, r.number \(Self.unclaimed)",
                    [run.key, platform.position, step.lowerBound, step.upperBound, limit]
                ) { row in (name: Username(checked: try row.text(0)), number: try row.int(1)) }
            }
            // Names are not in order across waves.
            if let last = people.last { return (people.map(\.name), last.number) }
        }
        return ([], number)
    }

    /// People without a delivery row, usually everybody; people withheld during staging have one.
    ///
    /// The rows of a step are read together, because looking up each of them costs more than
    /// reading the people.
    package static let unclaimed = """
        FROM recipients r
        WHERE r.run = ?1 AND r.number > ?3 AND r.number <= ?4
            AND r.number NOT IN (
                SELECT number FROM deliveries
                WHERE run = ?1 AND platform = ?2 AND number > ?3 AND number <= ?4
            )
        ORDER BY r.number LIMIT ?5
        """

    package static let claimable = """
        SELECT r.number, r.name, r.notification, CAST(0 AS bigint) AS attempts,
            false AS is_uncertain
        \(unclaimed)
        """

    /// Ends open deliveries of these recipients; pushes that may have gone out become `unknown`.
    ///
    /// - Parameter last: the run's last recipient.
    static func end(
        _ numbers: ClosedRange<Int>, of run: StoredRun, on position: Int, last: Int,
        as ending: Ending, _ db: any SQLConnection
    ) throws {
        let claimed = try db.row(
            """
            SELECT claimed FROM run_platforms WHERE run = ?1 AND position = ?2
            \(db.dialect.forUpdate)
            """, [run.key, position]
        ) { try $0.int(0) }
        guard let claimed else { throw DamagedValue() }
        let ranges = try ClaimedRanges(
            of: run.key, hasWaves: run.hasWaves, on: position, claimed: claimed, last: last, db)
        for cursor in ranges.cursors {
            guard let part = cursor.part(of: numbers) else { continue }
            try end(
                part, of: run.key, on: position, claimed: cursor.claimed.upperBound, as: ending, db)
            // The platform has nothing left to claim.
            try cursor.advance(to: part.upperBound, of: run.key, on: position, at: nil, db)
        }
    }

    /// Ends open deliveries of recipients in one wave; recipients after `claimed` were not sent to.
    static func end(
        _ numbers: ClosedRange<Int>, of run: Int64, on position: Int, claimed: Int,
        as ending: Ending, _ db: any SQLConnection
    ) throws {
        let values: [any SQLBindable] = [
            run, position, numbers.lowerBound, numbers.upperBound, ending.outcome.stored,
            ending.reason?.number, ending.detail, ending.time,
        ]
        try db.updateDeliveries(
            of: run, set: endingOpen + db.dialect.disowned,
            where: "run = ?1 AND platform = ?2 AND number BETWEEN ?3 AND ?4 AND state < 2", values)
        try db.insertDeliveries(of: run, endingRest(db.dialect), values + [claimed])
    }

    struct Ending: Sendable {
        let outcome: Outcome
        let reason: SkipReason?
        let detail: String
        /// The time in milliseconds since 1970.
        let time: Int64
    }

    private static let endingOpen: String = {
        let isSending = "state = \(DeliveryState.sending.rawValue)"
        return """
            state = CASE WHEN \(isSending) OR is_uncertain
                THEN \(Outcome.unknown.stored) ELSE ?5 END,
            skip_reason = CASE WHEN \(isSending) OR is_uncertain THEN NULL ELSE ?6 END,
            attempts = attempts + CASE WHEN \(isSending) THEN 1 ELSE 0 END,
            is_uncertain = is_uncertain OR \(isSending), detail = ?7, recorded = ?8
            """
    }()

    /// Ends deliveries without a row; an outcome that is recorded in the meantime is kept.
    private static func endingRest(_ dialect: SQLDialect) -> String {
        """
        INSERT INTO deliveries (run, platform, number, state, skip_reason, attempts, is_uncertain,
            recorded, detail)
        SELECT r.run, ?2, r.number,
            CASE WHEN r.number <= ?9 THEN \(Outcome.unknown.stored) ELSE ?5 END,
            CASE WHEN r.number <= ?9 THEN NULL ELSE ?6 END,
            CASE WHEN r.number <= ?9 THEN 1 ELSE 0 END, r.number <= ?9, ?8, ?7
        FROM recipients r
        \(delivery(dialect))
        WHERE r.run = ?1 AND r.number BETWEEN ?3 AND ?4 AND d.number IS NULL
        ORDER BY r.number
        ON CONFLICT (run, platform, number) DO NOTHING
        """
    }

    private static func delivery(_ dialect: SQLDialect) -> String {
        dialect.lookUp(
            "deliveries", as: "d", isOptional: true,
            where: "d.run = ?1 AND d.platform = ?2 AND d.number = r.number")
    }
}
