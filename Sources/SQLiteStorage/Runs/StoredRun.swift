import CampaignCore
import FoundationEssentials
import GRDB
import Storage

/// A run, looked up so that its rows can be read or written.
struct StoredRun {
    /// What names it in the other tables.
    let key: Int64
    /// Whether its audience is still being written.
    let isBeingStaged: Bool
    let kind: CampaignKind
    /// The hub, as `runs` names it.
    let hub: String
    let hasPlaceholder: Bool
    let hasWaves: Bool
    /// When the deletion of its deliveries began; nil: they are there, whole.
    let deliveriesDeleted: Date?

    /// Throws ``StoreError/noSuchRun(_:)``.
    init(of run: RunID, _ db: Database) throws {
        let statement = try db.cachedStatement(
            sql: """
                SELECT key, state, kind, hub, push_options, waves_digest IS NOT NULL,
                    deliveries_deleted
                FROM runs
                WHERE id = ?
                """)
        guard let row = try Row.fetchOne(statement, arguments: [run.text]) else {
            throw StoreError.noSuchRun(run)
        }
        guard let kind = CampaignKind(rawValue: row[2]) else { throw DatabaseError.damaged }
        self.kind = kind
        self.key = row[0]
        self.isBeingStaged = row[1] == RunState.staging.rawValue
        self.hub = row[3]
        self.hasPlaceholder = try !StoredJSON.pushOptions(row[4]).placeholders.isEmpty
        self.hasWaves = row[5]
        self.deliveriesDeleted = (row[6] as Int64?).map(StoredTime.date)
    }

    /// Looks a run up whose deliveries are to be read one by one; throws
    /// ``StoreError/deliveriesDeleted(_:_:)``.
    init(withDeliveries run: RunID, _ db: Database) throws {
        try self.init(of: run, db)
        if let deliveriesDeleted { throw StoreError.deliveriesDeleted(run, deliveriesDeleted) }
    }

    /// Throws ``StoreError/notStaging(_:)`` after the audience was written.
    init(staging run: RunID, _ db: Database) throws {
        try self.init(of: run, db)
        guard isBeingStaged else { throw StoreError.notStaging(run) }
    }

    /// Tables in which many runs have no row of any person.
    enum PersonalTable: String {
        /// A notification of one's own.
        case notifications
        /// That it was fetched or read.
        case receipts
        /// What the hub said of its delivery later.
        case telemetry
    }

    /// Whether any person of the run has a row in a table.
    func hasRows(in table: PersonalTable, _ db: Database) throws -> Bool {
        // Notifications that are shared have numbers below 1.
        let statement = try db.cachedStatement(
            sql: "SELECT 1 FROM \(table.rawValue) WHERE run = ? AND number > 0 LIMIT 1")
        return try Row.fetchOne(statement, arguments: [key]) != nil
    }
}

struct RunPlatform {
    /// Its place in the campaign's list; what stands for it in `deliveries`.
    let position: Int
    let platform: Platform
    /// Recipients up to this number are or were `sending`; with waves, the highest number of those who are (``ClaimedRanges``).
    let claimed: Int

    static func all(of run: StoredRun, _ db: Database) throws -> [RunPlatform] {
        let statement = try db.cachedStatement(
            sql:
                "SELECT position, platform, claimed FROM run_platforms WHERE run = ? ORDER BY position"
        )
        return try Row.fetchAll(statement, arguments: [run.key]).map { row in
            guard let platform = Platform(rawValue: row[1]) else { throw DatabaseError.damaged }
            return RunPlatform(position: row[0], platform: platform, claimed: row[2])
        }
    }

    /// Throws ``StoreError/foreignPlatform(_:_:)`` when the run does not send to it.
    static func find(
        _ platform: Platform, of run: StoredRun, id: RunID, _ db: Database
    ) throws -> RunPlatform {
        guard let found = try all(of: run, db).first(where: { $0.platform == platform }) else {
            throw StoreError.foreignPlatform(id, platform)
        }
        return found
    }
}
