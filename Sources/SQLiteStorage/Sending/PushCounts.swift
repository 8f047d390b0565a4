import CampaignCore
import FoundationEssentials
import GRDB
import Storage

/// How many pushes people got on a platform lately, in all other runs.
///
/// What may have been sent counts, as does what another run is sending. Other runs have recipients
/// in name order too, so each is read in one range, or one for each wave.
struct PushCounts {
    /// With more rows than this per person, people are looked up one by one.
    private static let sparseness = 20

    private var counts: [String: Int] = [:]

    /// `people` are in name order; a nil `run` does not exist yet.
    init(
        of people: [Username], on platform: Platform, at hub: String, besides run: StoredRun?,
        since start: Date, _ db: Database
    ) throws {
        guard let first = people.first, let last = people.last else { return }
        for username in people { counts[username.text] = 0 }
        let since = StoredTime.milliseconds(start)
        let others = try Row.fetchAll(
            db.cachedStatement(sql: Self.others),
            arguments: [hub, platform.rawValue, since, run?.key])
        for other in others {
            let order = try RecipientOrder(run: other["key"], db)
            let claimed = try ClaimedRanges(
                of: other["key"], hasWaves: other["has_waves"], on: other["position"],
                claimed: other["claimed"], db)
            for numbers in try order.numbers(from: first, through: last) {
                let lastClaimed = claimed.last(inWaveOf: numbers.lowerBound)
                // After the last claim, nobody got anything.
                guard numbers.lowerBound <= lastClaimed else { continue }
                let arguments: StatementArguments = [
                    "run": other["key"], "platform": other["position"], "claimed": lastClaimed,
                    "is_active": other["is_active"], "since": since,
                ]
                guard numbers.count > Self.sparseness * people.count else {
                    try count(numbers, arguments, db)
                    continue
                }
                // Few people among many: look up each, so that the claim does not read all in
                // between.
                for username in people {
                    guard let number = try order.number(of: username, in: numbers) else { continue }
                    try count(number..<(number + 1), arguments, db)
                }
            }
        }
    }

    private mutating func count(
        _ numbers: Range<Int>, _ arguments: StatementArguments, _ db: Database
    ) throws {
        let names = try String.fetchCursor(
            db.cachedStatement(sql: Self.pushed),
            arguments: arguments + ["first": numbers.lowerBound, "end": numbers.upperBound])
        while let name = try names.next() { counts[name]? += 1 }
    }

    subscript(_ username: Username) -> Int { counts[username.text] ?? 0 }

    /// The other runs on the same hub that may have pushed since then; `is_active`: what they have
    /// under way is of that time.
    private static let others = """
        SELECT o.key, o.waves_digest IS NOT NULL AS has_waves, p.position, p.claimed,
            p.claimed_at >= ?3 AS is_active
        FROM runs o CROSS JOIN run_platforms p ON p.run = o.key AND p.platform = ?2
        WHERE o.hub = ?1 AND o.key IS NOT ?4 AND o.is_rehearsal = 0
            AND p.claimed > 0 AND (o.finished IS NULL OR o.finished >= ?3)
        """

    /// A push that waits for its next try counts as sent.
    private static let pushed = """
        SELECT r.name FROM recipients r
        LEFT JOIN deliveries d ON d.run = r.run AND d.platform = :platform AND d.number = r.number
        WHERE r.run = :run AND r.number >= :first AND r.number < :end AND CASE
            WHEN d.number IS NULL THEN :is_active AND r.number <= :claimed
            WHEN d.state IN (\(DeliveryState.sending.rawValue), \(DeliveryState.waiting.rawValue))
                THEN d.recorded >= :since
            ELSE d.recorded >= :since AND (d.is_uncertain
                OR d.state IN (\(Outcome.reaching.stored)))
            END
        """
}
