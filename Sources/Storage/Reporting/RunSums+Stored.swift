extension RunSums {
    /// Adds up a run; a million rows take a second or more.
    package init(of run: StoredRun, _ db: any SQLConnection) throws {
        self.init(
            outcomes: try run.outcomes(db), platforms: try run.platformOutcomes(db),
            waves: try run.waveStandings(db), tried: try run.peopleTried(db),
            reach: try run.reach(db),
            reasons: try run.namelessReasons(limit: Self.mostReasons, db))
    }

    /// nil while the run's deliveries are there.
    package static func kept(of run: StoredRun, _ db: any SQLConnection) throws -> RunSums? {
        guard run.deliveriesDeleted != nil else { return nil }
        let isWhole = db.dialect.sealOfSums.map { "seal = \($0)" } ?? "true"
        let found = try db.row("SELECT sums, \(isWhole) FROM run_sums WHERE run = ?1", [run.key]) {
            row in
            guard try row.bool(1) else { throw DamagedValue() }
            return try RunSums(encoded: row.text(0))
        }
        guard let found else { throw DamagedValue() }
        return found
    }

    /// In the transaction in which the deletion begins.
    package func keep(of run: Int64, _ db: any SQLConnection) throws {
        // A seal gets its value with the row.
        let seal = db.dialect.sealOfSums == nil ? ("", "") : (", seal", ", 0")
        try db.run(
            "INSERT INTO run_sums (run, sums\(seal.0)) VALUES (?1, ?2\(seal.1))",
            [run, try encoded()])
    }
}
