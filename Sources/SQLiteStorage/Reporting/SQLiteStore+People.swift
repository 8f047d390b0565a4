package import CampaignCore
import GRDB
import Storage

extension SQLiteStore {
    package func people(
        of run: RunID, with outcomes: Set<Outcome>?, fetched: Bool?, after number: Int,
        recipients: Int
    ) async throws -> (people: [Username], last: Int?) {
        try await read { db in
            let stored = try StoredRun(withDeliveries: run, db)
            let page = try RecipientOrder(run: stored.key, db)
                .page(after: number, limit: recipients)
            guard let last = page.last else { return ([], nil) }
            let people = try Self.people(page, of: stored, with: outcomes, fetched: fetched, db)
            return (people, last)
        }
    }

    private static func people(
        _ page: RecipientPage, of run: StoredRun, with outcomes: Set<Outcome>?, fetched: Bool?,
        _ db: Database
    ) throws -> [Username] {
        let query = try NativeStatement(outcomes == nil ? everybody : withOutcomes, db)
        query.bind(run.key, at: 1)
        query.bind(fetched.map { $0 ? 1 : 0 } ?? -1, at: 4)
        return try page.values { numbers, take in
            query.bind(numbers.lowerBound, at: 2)
            query.bind(numbers.upperBound, at: 3)
            var last = 0
            try query.forEachRow { row in
                let number = row.integer(0)
                // Their other platforms add nothing.
                guard number != last else { return }
                if let outcomes {
                    let state =
                        row.isNull(2) ? .notAttempted : DeliveryState(rawValue: row.integer(2))
                    guard let state else { throw DatabaseError.damaged }
                    guard outcomes.contains(state.outcome) else { return }
                }
                last = number
                take(number, Username(checked: try row.requiredText(1)))
            }
        }
    }

    /// ?4 is 1 for those who fetched, 0 for those who did not, negative for both.
    private static let everybody = """
        SELECT r.number, r.name
        FROM recipients r
        LEFT JOIN receipts t ON t.run = r.run AND t.number = r.number
        WHERE r.run = ?1 AND r.number >= ?2 AND r.number < ?3 AND r.name <> ''
            AND (?4 < 0 OR (t.fetched IS NOT NULL) = ?4)
        ORDER BY r.number
        """

    private static let withOutcomes = """
        SELECT r.number, r.name, d.state
        FROM recipients r
        CROSS JOIN run_platforms p ON p.run = r.run
        LEFT JOIN deliveries d
            ON d.run = r.run AND d.platform = p.position AND d.number = r.number
        LEFT JOIN receipts t ON t.run = r.run AND t.number = r.number
        WHERE r.run = ?1 AND r.number >= ?2 AND r.number < ?3 AND r.name <> ''
            AND (?4 < 0 OR (t.fetched IS NOT NULL) = ?4)
            AND (d.state IS NOT \(Outcome.skipped.stored)
                OR d.detail IS NOT '\(SkipReason.notAskedFor.rawValue)')
        ORDER BY r.number, p.position
        """
}
