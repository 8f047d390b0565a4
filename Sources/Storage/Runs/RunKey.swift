import CampaignCore
import GRDB

/// What stands for a run in the large tables.
struct RunKey {
    let value: Int64
    let state: String
    let kind: CampaignKind
    /// The hub, as `runs` names it.
    let hub: String

    /// Looks a run up.
    ///
    /// - Parameters:
    ///   - run: its id.
    ///   - db: any connection.
    /// - Throws: ``StoreError/noSuchRun(_:)``.
    init(of run: RunID, _ db: Database) throws {
        let statement = try db.cachedStatement(
            sql: "SELECT key, state, kind, hub FROM runs WHERE id = ?")
        guard let row = try Row.fetchOne(statement, arguments: [run.text]) else {
            throw StoreError.noSuchRun(run)
        }
        guard let kind = CampaignKind(rawValue: row[2]) else { throw DatabaseError.damaged }
        self.kind = kind
        self.value = row[0]
        self.state = row[1]
        self.hub = row[3]
    }

    /// Looks a run up whose audience is still being written down.
    ///
    /// - Parameters:
    ///   - run: its id.
    ///   - db: any connection.
    /// - Throws: ``StoreError/notStaging(_:)``, ``StoreError/noSuchRun(_:)``.
    init(staging run: RunID, _ db: Database) throws {
        try self.init(of: run, db)
        guard state == RunState.staging.rawValue else { throw StoreError.notStaging(run) }
    }
}
