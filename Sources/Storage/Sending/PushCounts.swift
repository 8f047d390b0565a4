import CampaignCore
import FoundationEssentials
import GRDB

/// How many pushes some people got on a platform lately, over all runs but one.
///
/// What may have gone out counts, and so does what another run has `sending` at this moment. Other runs hold their recipients in name order
/// too, so that each is read in one range.
struct PushCounts {
    private var counts: [String: Int] = [:]

    /// Counts.
    ///
    /// - Parameters:
    ///   - claims: the people, in name order.
    ///   - platform: where.
    ///   - run: the run that asks; its own pushes do not count.
    ///   - start: the beginning of the time that counts.
    ///   - db: a connection within the transaction that claims.
    /// - Throws: `DatabaseError`.
    init(
        of claims: [DeliveryClaim], on platform: Platform, besides run: RunKey, since start: Date,
        _ db: Database
    ) throws {
        guard let first = claims.first, let last = claims.last else { return }
        for claim in claims { counts[claim.username.text] = 0 }
        let since = Timestamp.milliseconds(start)
        let others = try Row.fetchAll(
            db.cachedStatement(sql: Self.others), arguments: [run.value, platform.rawValue, since])
        for other in others {
            let numbers = try RecipientOrder(run: other["key"], db)
                .numbers(from: first.username, through: last.username)
            let names = try String.fetchCursor(
                db.cachedStatement(sql: Self.pushed),
                arguments: [
                    "run": other["key"], "platform": other["position"],
                    "claimed": other["claimed"], "is_active": other["is_active"], "since": since,
                    "first": numbers.lowerBound, "end": numbers.upperBound,
                ])
            while let name = try names.next() { counts[name]? += 1 }
        }
    }

    /// The number of somebody who was asked for.
    subscript(_ username: Username) -> Int { counts[username.text] ?? 0 }

    /// The other runs on the same hub that may have pushed since then.
    ///
    /// When a claim was made is not written down. A run whose last row is old was not working then, so that what it left `sending` is old too.
    private static let others = """
        SELECT o.key, p.position, p.claimed,
            o.started >= ?3 OR coalesce((SELECT d.recorded FROM deliveries d
                WHERE d.run = o.key AND d.platform = p.position
                ORDER BY d.number DESC LIMIT 1), 0) >= ?3 AS is_active
        FROM runs o CROSS JOIN run_platforms p ON p.run = o.key AND p.platform = ?2
        WHERE o.hub = (SELECT hub FROM runs WHERE key = ?1) AND o.key <> ?1 AND o.is_rehearsal = 0
            AND (o.finished IS NULL OR o.finished >= ?3)
        """

    private static let pushed = """
        SELECT r.name FROM recipients r
        LEFT JOIN deliveries d ON d.run = r.run AND d.platform = :platform AND d.number = r.number
        WHERE r.run = :run AND r.number >= :first AND r.number < :end AND CASE
            WHEN d.number IS NULL THEN :is_active AND r.number <= :claimed
            WHEN d.state = \(DeliveryState.sending.rawValue) THEN :is_active
            WHEN d.state = \(DeliveryState.waiting.rawValue) THEN d.is_uncertain AND d.recorded >= :since
            ELSE d.state IN (\(DeliveryState.accepted.rawValue), \(DeliveryState.unknown.rawValue))
                AND d.recorded >= :since END
        """
}
