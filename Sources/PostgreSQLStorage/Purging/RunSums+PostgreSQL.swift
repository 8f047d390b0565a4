import CampaignCore
import PostgreSQLClient
import Storage

extension RunSums {
    /// Adds up a run; a million rows take some seconds.
    init(of run: StoredRun, _ db: PostgreSQLConnection) throws {
        self.init(
            outcomes: try PostgreSQLStore.outcomes(of: run, db),
            platforms: try PostgreSQLStore.platformOutcomes(of: run, db),
            waves: try PostgreSQLStore.waveStandings(of: run, db),
            tried: try PostgreSQLStore.peopleTried(by: run, db),
            reach: try PostgreSQLStore.reach(of: run, db),
            reasons: try PostgreSQLStore.namelessReasons(of: run, limit: Self.mostReasons, db))
    }

    /// nil while the run's deliveries are there.
    static func kept(of run: StoredRun, _ db: PostgreSQLConnection) throws -> RunSums? {
        guard run.deliveriesDeleted != nil else { return nil }
        guard let row = try db.row("SELECT sums FROM run_sums WHERE run = $1", [run.key]) else {
            throw DamagedValue()
        }
        return try RunSums(encoded: StoredText.decode(row.text(0)))
    }

    /// In the transaction in which the deletion begins.
    func keep(of run: Int64, _ db: PostgreSQLConnection) throws {
        try db.execute(
            "INSERT INTO run_sums (run, sums) VALUES ($1, $2)",
            [run, StoredText.encode(encoded())])
    }
}
