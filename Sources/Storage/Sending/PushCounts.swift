import CampaignCore
import FoundationEssentials

/// The number of pushes that people recently received on a platform, in all other runs.
///
/// This includes pushes that may have been sent and pushes that another run is sending. For each
/// other run, one statement looks up each person by name, whatever the size of the run.
struct PushCounts {
    private var counts: [String: Int] = [:]

    /// Counts pushes for a run; nil for a run that is only planned.
    ///
    /// A claim holds ``TransactionLock/pushes`` from the count until the people are claimed.
    init(
        of people: [Username], on platform: Platform, at hub: String, besides run: StoredRun?,
        since: Date, _ db: any SQLConnection
    ) throws {
        guard !people.isEmpty else { return }
        let names = try StoredJSON.encode(people.map(\.text))
        let others = try db.rows(
            Self.others, [hub, platform.rawValue, since, run?.key ?? 0]
        ) { row in
            (
                key: try row.int64(0), hasWaves: try row.bool(1), position: try row.int(2),
                claimed: try row.int(3), isActive: try row.bool(4)
            )
        }
        for other in others {
            let claimed = try ClaimedRanges(
                of: other.key, hasWaves: other.hasWaves, on: other.position,
                claimed: other.claimed, db)
            let pushed = try db.rows(
                Self.pushed(db.dialect),
                [other.key, other.position, since, other.isActive, names]
            ) { row in (name: try row.text(0), number: try row.int(1)) }
            // It is possible that nobody in one wave has been claimed yet, but everybody in a later
            // wave has.
            for person in pushed where person.number <= claimed.last(inWaveOf: person.number) {
                counts[person.name, default: 0] += 1
            }
        }
    }

    subscript(_ username: Username) -> Int { counts[username.text] ?? 0 }

    /// The runs on the same hub, except `?4` (keys are numbered from 1), that may have pushed since
    /// then; the last column says whether their unrecorded pushes are from that time.
    ///
    /// There are two parts, because unfinished runs have an index; finished runs are found by their
    /// end or, in SQLite, among all runs on the hub.
    private static let others = """
        SELECT o.key, o.has_waves, p.position, p.claimed, p.claimed_at >= ?3
        FROM (
            SELECT key, has_waves FROM runs
            WHERE hub = ?1 AND NOT is_rehearsal AND state <> 'finished'
            UNION ALL
            SELECT key, has_waves FROM runs
            WHERE state = 'finished' AND deliveries_deleted IS NULL AND finished >= ?3
                AND hub = ?1 AND NOT is_rehearsal
        ) o
        JOIN run_platforms p ON p.run = o.key AND p.platform = ?2
        WHERE o.key <> ?4 AND p.claimed > 0
        """

    /// A push that is waiting for its next try is counted as sent.
    private static func pushed(_ dialect: SQLDialect) -> String {
        """
        SELECT r.name, r.number
        FROM \(dialect.texts("?5")) n
        \(dialect.lookUp("recipients", as: "r", where: "r.run = ?1 AND r.name = n.value"))
        \(dialect.lookUp("deliveries", as: "d", isOptional: true,
            where: "d.run = ?1 AND d.platform = ?2 AND d.number = r.number"))
        WHERE CASE WHEN d.number IS NULL THEN ?4
            ELSE d.recorded >= ?3 AND (d.is_uncertain OR d.state IN (\(DeliveryState.handed))) END
        """
    }
}
