package import CampaignCore
import GRDB

extension SQLiteStore {
    package func rest(
        of run: RunID, with outcomes: Set<Outcome>, after number: Int, recipients: Int
    ) async throws -> (people: [RestMember], last: Int?) {
        try await read { db in
            let stored = try StoredRun(of: run, db)
            // Numbers are dense, so that a page of recipients is a range of numbers.
            let count = try RecipientOrder(run: stored.key, db).count
            guard number < count else { return ([], nil) }
            let last = min(number + recipients, count)
            return (try Self.rest(of: stored, with: outcomes, number..<last, db), last)
        }
    }

    /// The people behind the lower bound, up to and with the upper one.
    private static func rest(
        of run: StoredRun, with outcomes: Set<Outcome>, _ numbers: Range<Int>, _ db: Database
    ) throws -> [RestMember] {
        let platforms = try RunPlatform.all(of: run, db).map(\.platform)
        let query = try NativeStatement(selection, db)
        query.bind(run.key, at: 1)
        query.bind(numbers.lowerBound, at: 2)
        query.bind(numbers.upperBound, at: 3)
        var people: [RestMember] = []
        try query.forEachRow { row in
            let state = row.isNull(2) ? .notAttempted : DeliveryState(rawValue: row.integer(2))
            guard platforms.indices.contains(row.integer(1)), let state else {
                throw DatabaseError.damaged
            }
            guard outcomes.contains(state.outcome) else { return }
            let platform = platforms[row.integer(1)]
            let username = Username(checked: try row.requiredText(0))
            guard let previous = people.last, previous.username == username else {
                people.append(RestMember(username: username, platforms: [platform]))
                return
            }
            people[people.count - 1] = RestMember(
                username: username, platforms: previous.platforms.union([platform]))
        }
        return people
    }

    /// Recipients and platforms without what is all right; who else is wanted is seen row by row.
    private static let selection = """
        SELECT r.name, p.position, d.state
        FROM recipients r
        CROSS JOIN run_platforms p ON p.run = r.run
        LEFT JOIN deliveries d
            ON d.run = r.run AND d.platform = p.position AND d.number = r.number
        WHERE r.run = ?1 AND r.number > ?2 AND r.number <= ?3 AND r.name <> ''
            AND d.state IS NOT \(DeliveryState.accepted.rawValue)
            AND (d.state IS NOT \(DeliveryState.skipped.rawValue)
                OR d.detail IS NOT '\(SkipReason.notAskedFor.rawValue)')
        ORDER BY r.number, p.position
        """
}
