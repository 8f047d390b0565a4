import CampaignCore
import FoundationEssentials
import PostgreSQLClient
import Storage

/// How many pushes people got on a platform lately, in all other runs.
///
/// What may have been sent counts, as does what another run is sending. One statement for each
/// other run looks each person up by name, whatever the run's size.
struct PushCounts {
    private var counts: [String: Int] = [:]

    /// `people` are in name order; a nil `run` does not exist yet.
    ///
    /// A claim counts in its own transaction, after ``lock(_:at:_:)``.
    init(
        of people: [Username], on platform: Platform, at hub: String, besides run: StoredRun?,
        since start: Date, _ db: PostgreSQLConnection
    ) throws {
        guard !people.isEmpty else { return }
        let names = people.map(\.text)
        for name in names { counts[name] = 0 }
        let since = StoredTime.milliseconds(start)
        let others = try db.rows(
            Self.others, [hub, platform.rawValue, since, run?.key ?? Self.noRun])
        for other in others {
            let (key, position) = (try other.int64(0), try other.int(2))
            let claimed = try ClaimedRanges(
                of: key, hasWaves: other.bool(1), on: position, claimed: other.int(3), db)
            let isActive = try other.bool(4)
            let pushed = try db.rows(
                Self.pushed, [key, position, since, try other.int(3), isActive, names])
            for row in pushed {
                // In one wave nobody may be claimed yet, and in a later one everybody.
                let number = try row.int(1)
                guard number <= claimed.last(inWaveOf: number) else { continue }
                counts[try row.text(0)]? += 1
            }
        }
    }

    /// Keeps others from claiming under a cap on the same platform and hub, so that two runs do not
    /// use one person's last push.
    ///
    /// Claims without a cap do not wait. It must be the transaction's first lock.
    static func lock(_ platform: Platform, at hub: String, _ db: PostgreSQLConnection) throws {
        try TransactionLock.pushes.take("\(platform.rawValue) \(hub)", db)
    }

    subscript(_ username: Username) -> Int { counts[username.text] ?? 0 }

    /// Keys count from 1.
    private static let noRun: Int64 = 0

    /// The other runs on the same hub that may have pushed since then, by two indexes; the last
    /// column: what they have under way is of that time.
    private static let others = """
        SELECT o.key, o.has_waves, p.position, p.claimed, p.claimed_at >= $3
        FROM (
            SELECT key, has_waves FROM runs
            WHERE hub = $1 AND NOT is_rehearsal AND state <> 'finished'
            UNION ALL
            SELECT key, has_waves FROM runs
            WHERE state = 'finished' AND deliveries_deleted IS NULL AND finished >= $3
                AND hub = $1 AND NOT is_rehearsal
        ) o
        JOIN run_platforms p ON p.run = o.key AND p.platform = $2
        WHERE o.key <> $4 AND p.claimed > 0
        """

    /// A push that waits for its next try counts as sent.
    ///
    /// The limits of 1 make the server look people up instead of reading a whole run.
    private static let pushed = """
        SELECT n.name, r.number
        FROM unnest($6) AS n (name)
        CROSS JOIN LATERAL (
            SELECT number FROM recipients WHERE run = $1 AND name = n.name LIMIT 1
        ) r
        LEFT JOIN LATERAL (
            SELECT number, state, is_uncertain, recorded FROM deliveries
            WHERE run = $1 AND platform = $2 AND number = r.number LIMIT 1
        ) d ON true
        WHERE r.number <= $4 AND CASE
            WHEN d.number IS NULL THEN $5
            WHEN d.state IN (\(DeliveryState.sending.rawValue), \(DeliveryState.waiting.rawValue))
                THEN d.recorded >= $3
            ELSE d.recorded >= $3 AND (d.is_uncertain
                OR d.state IN (\(Outcome.reaching.stored)))
            END
        """
}
