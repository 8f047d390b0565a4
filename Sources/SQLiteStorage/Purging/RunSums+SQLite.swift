import CampaignCore
import GRDB
import Storage

extension RunSums {
    /// Adds up a run; a million rows take about a second.
    init(of run: StoredRun, _ db: Database) throws {
        self.init(
            outcomes: try SQLiteStore.outcomes(of: run, db),
            platforms: try SQLiteStore.platformOutcomes(of: run, db),
            waves: try SQLiteStore.waveStandings(of: run, db),
            tried: try SQLiteStore.peopleTried(by: run, db),
            reach: try SQLiteStore.reach(of: run, db),
            reasons: try SQLiteStore.reasons(
                of: run, limit: Self.mostReasons, isNameless: true, db))
    }

    /// nil while the run's deliveries are there.
    static func kept(of run: StoredRun, _ db: Database) throws -> RunSums? {
        guard run.deliveriesDeleted != nil else { return nil }
        let query = try NativeStatement("SELECT \(sealed), seal FROM run_sums WHERE run = ?", db)
        query.bind(run.key, at: 1)
        var found: RunSums?
        try query.forEachRow { row in
            guard row.digest(sealedCount) == Int64(row.integer(sealedCount)) else {
                throw DatabaseError.damaged
            }
            found = try RunSums(encoded: try row.requiredText(1))
        }
        guard let found else { throw DatabaseError.damaged }
        return found
    }

    /// In the transaction in which the deletion begins.
    func keep(of run: Int64, _ db: Database) throws {
        try db.execute(
            sql: "INSERT INTO run_sums (run, sums, seal) VALUES (?, ?, 0)",
            arguments: [run, try encoded()])
        let query = try NativeStatement(
            "SELECT \(Self.sealed) FROM run_sums WHERE run = ?", db)
        query.bind(run, at: 1)
        var seal: Int64 = 0
        try query.forEachRow { seal = $0.digest(Self.sealedCount) }
        try db.execute(
            sql: "UPDATE run_sums SET seal = ? WHERE run = ?", arguments: [seal, run])
    }

    private static let sealed = "run, sums"
    private static let sealedCount: Int32 = 2
}
