package import CampaignCore
package import FoundationEssentials

/// A run, looked up so that its rows can be read or written.
package struct StoredRun: Sendable {
    /// What names it in the other tables.
    package let key: Int64
    /// Whether its audience is still being written.
    package let isBeingStaged: Bool
    package let occurrence: Occurrence
    package let kind: CampaignKind
    /// The hub, as `runs` names it.
    package let hub: String
    package let hasPlaceholder: Bool
    package let hasWaves: Bool
    /// When the deletion of its deliveries began; nil: they are there, whole.
    package let deliveriesDeleted: Date?

    /// Looks up a run, and locks its row if asked; throws ``StoreError/noSuchRun(_:)``.
    package init(of run: RunID, isLocked: Bool = false, _ db: any SQLConnection) throws {
        let found = try db.row(
            """
            SELECT key, state, kind, hub, push_options, has_waves, deliveries_deleted, occurrence
            FROM runs WHERE id = ?1 \(isLocked ? db.dialect.forUpdate : "")
            """, [run.text], StoredRun.init)
        guard let found else { throw StoreError.noSuchRun(run) }
        self = found
    }

    private init(_ row: any SQLRow) throws {
        guard let kind = CampaignKind(rawValue: try row.text(2)) else { throw DamagedValue() }
        self.kind = kind
        self.key = try row.int64(0)
        self.isBeingStaged = try row.text(1) == RunState.staging.rawValue
        self.hub = try row.text(3)
        self.hasPlaceholder =
            try !StoredJSON.pushOptions(row.optionalText(4)).placeholders.isEmpty
        self.hasWaves = try row.bool(5)
        self.deliveriesDeleted = try row.optionalInt64(6).map(StoredTime.date)
        self.occurrence = Occurrence(checked: try row.text(7))
    }

    /// Looks up a run to read its deliveries; throws ``StoreError/deliveriesDeleted(_:_:)``.
    package init(withDeliveries run: RunID, _ db: any SQLConnection) throws {
        try self.init(of: run, db)
        if let deliveriesDeleted { throw StoreError.deliveriesDeleted(run, deliveriesDeleted) }
    }

    /// Looks up and locks a run that is being staged; throws ``StoreError/notStaging(_:)``.
    package init(staging run: RunID, _ db: any SQLConnection) throws {
        try self.init(of: run, isLocked: true, db)
        guard isBeingStaged else { throw StoreError.notStaging(run) }
    }
}

package struct RunPlatform: Sendable {
    /// Its place in the campaign's list; what stands for it in `deliveries`.
    package let position: Int
    package let platform: Platform
    /// Recipients up to this number are or were `sending`; with waves, the highest number of those
    /// who are (``ClaimedRanges``).
    package let claimed: Int

    /// A run's platforms in their order.
    package static func all(of run: StoredRun, _ db: any SQLConnection) throws -> [RunPlatform] {
        try db.rows(
            "SELECT position, platform, claimed FROM run_platforms WHERE run = ?1 ORDER BY position",
            [run.key]
        ) { row in
            guard let platform = Platform(rawValue: try row.text(1)) else { throw DamagedValue() }
            return RunPlatform(
                position: try row.int(0), platform: platform, claimed: try row.int(2))
        }
    }

    /// Throws ``StoreError/foreignPlatform(_:_:)`` if the run does not send to it.
    package static func find(
        _ platform: Platform, of run: StoredRun, id: RunID, _ db: any SQLConnection
    ) throws -> RunPlatform {
        guard let found = try all(of: run, db).first(where: { $0.platform == platform }) else {
            throw StoreError.foreignPlatform(id, platform)
        }
        return found
    }
}

extension [RunPlatform] {
    /// Throws ``StoreError/foreignPlatform(_:_:)`` for a platform that is not among a run's.
    package func position(of platform: Platform, in run: RunID) throws -> Int {
        guard let found = first(where: { $0.platform == platform }) else {
            throw StoreError.foreignPlatform(run, platform)
        }
        return found.position
    }
}
