package import CampaignCore
import GRDB

extension SQLiteStore {
    package func record(
        _ records: [DeliveryRecord], requests: Int, of run: RunID
    ) async throws {
        try await save { db in
            let key = try RunKey(of: run, db)
            let platforms = try RunPlatform.all(of: key, db)
            // Only what waited before has a row already: as a rule nothing did, and then no row is looked for.
            let known =
                try DeliveryDigest.isAnyOpen(of: key.value, db)
                ? try platforms.map { try DeliveryDigest(of: key.value, on: $0.position, db) } : []
            var replaced: Int64 = 0
            var batch = try RowBatch(
                into: "deliveries", RunDigests.deliveries, onConflict: Self.replacing, db)
            for record in records {
                guard let found = platforms.first(where: { $0.platform == record.platform }) else {
                    throw StoreError.foreignPlatform(run, record.platform)
                }
                if let rows = known.first(where: { $0.position == found.position }) {
                    replaced &+= try rows.digest(of: record.number)
                }
                batch.append(key.value)
                batch.append(found.position)
                batch.append(record.number)
                batch.append(DeliveryState(record.state).rawValue)
                batch.append(record.attempts)
                batch.append(record.isUncertain ? 1 : 0)
                batch.append(Timestamp.milliseconds(record.recordedAt))
                batch.append(record.detail.isEmpty ? nil : record.detail)
                batch.append(record.hubMessage)
                try batch.endRow()
            }
            try batch.finish()
            if requests > 0 {
                try db.cachedStatement(sql: "UPDATE runs SET requests = requests + ? WHERE key = ?")
                    .execute(arguments: [requests, key.value])
            }
            try RunDigests.add(deliveries: batch.digest &- replaced, to: key.value, db)
        }
    }

    package func outcomes(_ run: RunID) async throws -> OutcomeCounts {
        try await read { db in
            let key = try RunKey(of: run, db)
            let statement = try db.cachedStatement(sql: Self.counting)
            var counts = OutcomeCounts()
            guard let row = try Row.fetchOne(statement, arguments: [key.value]) else {
                return counts
            }
            for (index, outcome) in Self.ended.enumerated() { counts[outcome] = row[index] }
            counts.tooLate = row[Self.ended.count]
            counts.expired = row[Self.ended.count + 1]
            counts.revoked = row[Self.ended.count + 2]
            let deliveries: Int = row[Self.ended.count + 3]
            guard counts.total <= deliveries else { throw DatabaseError.damaged }
            counts[.notAttempted] = deliveries - counts.total
            return counts
        }
    }

    private static let replacing = """
        ON CONFLICT (run, platform, number) DO UPDATE SET
            state = excluded.state, attempts = excluded.attempts,
            is_uncertain = excluded.is_uncertain, recorded = excluded.recorded,
            detail = excluded.detail, hub_message = excluded.hub_message
        """

    private static let ended = Outcome.allCases.filter { $0 != .notAttempted }

    /// One pass over a run's rows; a GROUP BY would sort them.
    private static let counting: String = {
        let reasons = [SkipReason.tooLate, .expired, .revoked].map { reason in
            "state = \(DeliveryState.skipped.rawValue) AND detail GLOB '\(reason.rawValue)*'"
        }
        let conditions = ended.map { "state = \(DeliveryState($0).rawValue)" } + reasons
        let sums = conditions.map { "count(*) FILTER (WHERE \($0))" }
        return """
            SELECT \(sums.joined(separator: ", ")),
                (SELECT final * (SELECT count(*) FROM run_platforms WHERE run = ?1)
                    FROM runs WHERE key = ?1)
            FROM deliveries WHERE run = ?1
            """
    }()
}
