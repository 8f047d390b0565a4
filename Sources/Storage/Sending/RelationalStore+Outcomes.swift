package import CampaignCore

extension RelationalStore {
    package func outcomes(_ run: RunID) async throws -> OutcomeCounts {
        try await query(isLong: true) { db in
            let stored = try StoredRun(of: run, db)
            return try RunSums.kept(of: stored, db)?.outcomes ?? stored.outcomes(db)
        }
    }

    package func waveOutcomes(_ run: RunID) async throws -> [WaveOutcomes] {
        try await query(isLong: true) { db in
            let stored = try StoredRun(of: run, db)
            guard stored.hasWaves else { return [] }
            if let sums = try RunSums.kept(of: stored, db) {
                return try sums.standings(of: WaveRow.all(of: stored.key, db))
            }
            return try stored.waveOutcomes(db)
        }
    }
}

extension StoredRun {
    package func outcomes(_ db: any SQLConnection) throws -> OutcomeCounts {
        try db.row(Self.counting(db.dialect), [key]) { row in
            try counts(row, of: row.int(Self.sums.count))
        } ?? OutcomeCounts()
    }

    package func waveOutcomes(_ db: any SQLConnection) throws -> [WaveOutcomes] {
        guard hasWaves else { return [] }
        let platforms = try RunPlatform.all(of: self, db).count
        let waves = try WaveRow.all(of: key, db)
        let counted = try db.rows(Self.countingWaves(db.dialect), [key]) { row in
            let number = try row.int(Self.sums.count)
            guard waves.indices.contains(number - 1) else { throw DamagedValue() }
            let people = waves[number - 1].recipients.count
            return (number, try counts(row, of: people * platforms))
        }
        let outcomes = Dictionary(uniqueKeysWithValues: counted)
        return waves.map { wave in
            let untried = OutcomeCounts([.notAttempted: wave.recipients.count * platforms])
            return WaveOutcomes(wave: wave, outcomes: outcomes[wave.number] ?? untried)
        }
    }

    /// Reads a row of ``sums``; all other deliveries have no outcome.
    ///
    /// While a run is being staged, its deliveries are not included yet.
    private func counts(_ row: any SQLRow, of deliveries: Int) throws -> OutcomeCounts {
        var counts = OutcomeCounts()
        let reasons = Outcome.final.count
        for (index, outcome) in Outcome.final.enumerated() { counts[outcome] = try row.int(index) }
        counts.tooLate = try row.int(reasons)
        counts.expired = try row.int(reasons + 1)
        counts.revoked = try row.int(reasons + 2)
        guard try row.int(reasons + 3) == 0 else { throw DamagedValue() }
        guard isBeingStaged || counts.total <= deliveries else { throw DamagedValue() }
        counts[.notAttempted] = max(0, deliveries - counts.total)
        return counts
    }

    private static let sums =
        Outcome.final.map { "count(*) FILTER (WHERE state = \($0.stored))" }
        + [SkipReason.tooLate, .expired, .revoked].map {
            "count(*) FILTER (WHERE skip_reason = \($0.number))"
        }
        // States that are never written.
        + ["count(*) FILTER (WHERE state NOT BETWEEN 0 AND \(DeliveryState.greatest))"]

    /// In a file, all of a run's rows are counted, but only those that were not accepted are
    /// examined.
    ///
    /// There are few of these rows, and examining rows takes most of the time; a server would read
    /// all rows twice.
    private static func counting(_ dialect: SQLDialect) -> String {
        var (columns, condition) = (sums, "")
        if !dialect.isServer, let accepted = Outcome.final.firstIndex(of: .accepted) {
            columns[accepted] = "(SELECT count(*) FROM deliveries WHERE run = ?1) - count(*)"
            condition = "AND state <> \(Outcome.accepted.stored)"
        }
        return """
            SELECT \(columns.joined(separator: ", ")),
                (SELECT final * (SELECT count(*) FROM run_platforms WHERE run = ?1)
                    FROM runs WHERE key = ?1)
            FROM deliveries WHERE run = ?1 \(condition)
            """
    }

    /// Reads a range of rows for each wave on each platform.
    private static func countingWaves(_ dialect: SQLDialect) -> String {
        """
        SELECT \(sums.joined(separator: ", ")), w.number
        FROM run_waves w
        CROSS JOIN run_platforms p
        \(dialect.lookUp(
            "deliveries", as: "d", isSingle: false,
            where: "d.run = ?1 AND d.platform = p.position AND d.number BETWEEN w.first AND w.last"))
        WHERE w.run = ?1 AND p.run = ?1
        GROUP BY w.number
        """
    }
}
