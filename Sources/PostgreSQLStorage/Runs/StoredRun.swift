import CampaignCore
import FoundationEssentials
import PostgreSQLClient
import Storage

/// A run, looked up so that its rows can be read or written.
struct StoredRun {
    /// What names it in the other tables.
    let key: Int64
    /// Whether its audience is still being written.
    let isBeingStaged: Bool
    let occurrence: Occurrence
    let kind: CampaignKind
    /// The hub, as `runs` names it.
    let hub: String
    /// Whether any push of it shows a placeholder.
    let hasPlaceholder: Bool
    /// Whether its recipients are in waves.
    let hasWaves: Bool
    /// Whether its rows are in partitions of their own.
    let hasPartitions: Bool
    /// When the deletion of its deliveries began; nil: they are there, whole.
    let deliveriesDeleted: Date?

    /// Looks a run up.
    ///
    /// - Parameters:
    ///   - run: its id.
    ///   - isLocked: whether its row is kept from other transactions that ask so until this one ends.
    /// - Throws: ``StoreError/noSuchRun(_:)``.
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

    /// Looks a run up whose deliveries are to be read one by one.
    ///
    /// - Parameter run: its id.
    /// - Throws: ``StoreError/deliveriesDeleted(_:_:)``, ``StoreError/noSuchRun(_:)``.
    init(withDeliveries run: RunID, _ db: PostgreSQLConnection) throws {
        try self.init(of: run, db)
        if let deliveriesDeleted { throw StoreError.deliveriesDeleted(run, deliveriesDeleted) }
    }

    /// Looks a run up whose audience is still being written down, and keeps others from doing so.
    ///
    /// - Parameter run: its id.
    /// - Throws: ``StoreError/notStaging(_:)``, ``StoreError/noSuchRun(_:)``.
    init(staging run: RunID, _ db: PostgreSQLConnection) throws {
        try self.init(of: run, isLocked: true, db)
        guard isBeingStaged else { throw StoreError.notStaging(run) }
    }
}

/// One platform of a run.
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

    /// One platform of a run.
    ///
    /// - Throws: ``StoreError/foreignPlatform(_:_:)`` when the run does not send to it.
    static func find(
        _ platform: Platform, of run: StoredRun, id: RunID, _ db: PostgreSQLConnection
    ) throws -> RunPlatform {
        guard let found = try all(of: run, db).first(where: { $0.platform == platform }) else {
            throw StoreError.foreignPlatform(id, platform)
        }
        return found
    }
}
