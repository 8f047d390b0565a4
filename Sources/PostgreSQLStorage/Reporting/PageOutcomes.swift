import CampaignCore
import PostgreSQLClient
import Storage

extension RecipientPage {
    struct Delivery {
        /// Their index on the page.
        let person: Int
        let platform: Platform
        let outcome: Outcome
    }

    /// Deliveries of a page's named people, in order, except those skipped as `notAskedFor`.
    func deliveries(of run: StoredRun, _ db: PostgreSQLConnection) throws -> [Delivery] {
        let platforms = try RunPlatform.all(of: run, db).map(\.platform)
        return try db.rows(Self.deliveries, [run.key, numbers]).compactMap { row in
            let (person, position) = (try row.int(0) - 1, try row.int(1))
            let state = try row.optionalInt(2).map(DeliveryState.init(rawValue:)) ?? .notAttempted
            guard people.indices.contains(person), platforms.indices.contains(position), let state
            else { throw DamagedValue() }
            guard people[person].name != .nameless else { return nil }
            return Delivery(
                person: person, platform: platforms[position], outcome: state.outcome)
        }
    }

    /// By number.
    func fetched(of run: StoredRun, _ db: PostgreSQLConnection) throws -> Set<Int> {
        Set(
            try db.rows(
                """
                SELECT number FROM receipts
                WHERE run = $1 AND number = ANY($2) AND fetched IS NOT NULL
                """, [run.key, numbers]
            ).map { try $0.int(0) })
    }

    /// Each row is looked up by its key, whatever the server's statistics: a page is small, and a
    /// run may be large.
    private static let deliveries = """
        SELECT r.place, p.position, d.state
        FROM unnest($2::bigint[]) WITH ORDINALITY AS r (number, place)
        CROSS JOIN run_platforms p
        LEFT JOIN LATERAL (SELECT state, detail FROM deliveries
            WHERE run = $1 AND platform = p.position AND number = r.number LIMIT 1) d ON true
        WHERE p.run = $1
            AND (d.state IS DISTINCT FROM \(Outcome.skipped.stored)
                OR d.detail IS DISTINCT FROM '\(SkipReason.notAskedFor.rawValue)')
        ORDER BY r.place, p.position
        """
}
