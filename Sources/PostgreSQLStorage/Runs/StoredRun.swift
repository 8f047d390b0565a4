import CampaignCore
import FoundationEssentials
import PostgreSQLClient
import Storage

/// A run, looked up so that its rows can be read or written.
struct StoredRun {
    /// What names it in the other tables.
    let key: Int64
    let isBeingStaged: Bool
    let occurrence: Occurrence
    let kind: CampaignKind
    /// The hub, as `runs` names it.
    let hub: String
    let hasPlaceholder: Bool
    let hasWaves: Bool
    /// Whether its rows are in partitions of their own.
    let hasPartitions: Bool
    /// When the deletion of its deliveries began; nil: they are there, whole.
    let deliveriesDeleted: Date?

    /// Looks up a run, and locks its row if asked; throws ``StoreError/noSuchRun(_:)``.
    init(of run: RunID, isLocked: Bool = false, _ db: PostgreSQLConnection) throws {
        let found = try db.row(
            """
            SELECT key, state, kind, hub, push_options, has_waves, has_partitions, deliveries_deleted,
                occurrence
            FROM runs WHERE id = $1 \(isLocked ? "FOR UPDATE" : "")
            """, [run.text])
        guard let row = found else { throw StoreError.noSuchRun(run) }
        guard let kind = CampaignKind(rawValue: try row.text(2)) else { throw DamagedValue() }
        self.kind = kind
        self.key = try row.int64(0)
        self.isBeingStaged = try row.text(1) == RunState.staging.rawValue
        self.hub = try row.text(3)
        self.hasPlaceholder =
            try !StoredJSON.pushOptions(row.optionalText(4)).placeholders.isEmpty
        self.hasWaves = try row.bool(5)
        self.hasPartitions = try row.bool(6)
        self.deliveriesDeleted = try row.optionalInt64(7).map(StoredTime.date)
        self.occurrence = Occurrence(checked: try row.text(8))
    }

    /// Looks up a run to read its deliveries; throws ``StoreError/deliveriesDeleted(_:_:)``.
    init(withDeliveries run: RunID, _ db: PostgreSQLConnection) throws {
        try self.init(of: run, db)
        if let deliveriesDeleted { throw StoreError.deliveriesDeleted(run, deliveriesDeleted) }
    }

    /// Looks up and locks a run that is being staged; throws ``StoreError/notStaging(_:)``.
    init(staging run: RunID, _ db: PostgreSQLConnection) throws {
        try self.init(of: run, isLocked: true, db)
        guard isBeingStaged else { throw StoreError.notStaging(run) }
    }
}

struct RunPlatform {
    /// Its place in the campaign's list; what stands for it in `deliveries`.
    let position: Int
    let platform: Platform
    /// Recipients up to this number are or were `sending`; with waves, the highest number of those who are.
    let claimed: Int

    /// A run's platforms in their order.
    static func all(of run: StoredRun, _ db: PostgreSQLConnection) throws -> [RunPlatform] {
        try db.rows(
            "SELECT position, platform, claimed FROM run_platforms WHERE run = $1 ORDER BY position",
            [run.key]
        ).map { row in
            guard let platform = Platform(rawValue: try row.text(1)) else { throw DamagedValue() }
            return RunPlatform(
                position: try row.int(0), platform: platform, claimed: try row.int(2))
        }
    }

    /// Throws ``StoreError/foreignPlatform(_:_:)`` if the run does not send to it.
    static func find(
        _ platform: Platform, of run: StoredRun, id: RunID, _ db: PostgreSQLConnection
    ) throws -> RunPlatform {
        guard let found = try all(of: run, db).first(where: { $0.platform == platform }) else {
            throw StoreError.foreignPlatform(id, platform)
        }
        return found
    }
}
