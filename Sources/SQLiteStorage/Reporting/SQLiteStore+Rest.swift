package import CampaignCore
import GRDB
import Storage

extension SQLiteStore {
    package func rest(
        of run: RunID, with outcomes: Set<Outcome>, after number: Int, recipients: Int
    ) async throws -> (people: [RestMember], last: Int?) {
        try await read { db in
            let stored = try StoredRun(withDeliveries: run, db)
            let page = try RecipientOrder(run: stored.key, db)
                .page(after: number, limit: recipients)
            guard let last = page.last else { return ([], nil) }
            return (try Self.rest(page, of: stored, with: outcomes, db), last)
        }
    }

    private static func rest(
        _ page: RecipientPage, of run: StoredRun, with outcomes: Set<Outcome>, _ db: Database
    ) throws -> [RestMember] {
        let platforms = try RunPlatform.all(of: run, db).map(\.platform)
        let query = try NativeStatement(selection, db)
        query.bind(run.key, at: 1)
        return try page.values { numbers, take in
            query.bind(numbers.lowerBound, at: 2)
            query.bind(numbers.upperBound, at: 3)
            var last: (number: Int, member: RestMember)?
            try query.forEachRow { row in
                let state = row.isNull(3) ? .notAttempted : DeliveryState(rawValue: row.integer(3))
                guard platforms.indices.contains(row.integer(2)), let state else {
                    throw DatabaseError.damaged
                }
                guard outcomes.contains(state.outcome) else { return }
                let (number, platform) = (row.integer(0), platforms[row.integer(2)])
                var member = RestMember(
                    username: Username(checked: try row.requiredText(1)), platforms: [platform])
                if let last, last.number == number {
                    member = RestMember(
                        username: member.username,
                        platforms: last.member.platforms.union(member.platforms))
                } else if let last {
                    take(last.number, last.member)
                }
                last = (number, member)
            }
            if let last { take(last.number, last.member) }
        }
    }

    /// Recipients and platforms without what is all right; the rest is decided row by row.
    private static let selection = """
        SELECT r.number, r.name, p.position, d.state
        FROM recipients r
        CROSS JOIN run_platforms p ON p.run = r.run
        LEFT JOIN deliveries d
            ON d.run = r.run AND d.platform = p.position AND d.number = r.number
        WHERE r.run = ?1 AND r.number >= ?2 AND r.number < ?3 AND r.name <> ''
            AND d.state IS NOT \(Outcome.accepted.stored)
            AND (d.state IS NOT \(Outcome.skipped.stored)
                OR d.detail IS NOT '\(SkipReason.notAskedFor.rawValue)')
        ORDER BY r.number, p.position
        """
}
