package import CampaignCore
package import FoundationEssentials

/// A run that was looked up so that its rows can be read or written.
package struct StoredRun: Sendable {
    /// The run's key in the other tables.
    package let key: Int64
    package let isBeingStaged: Bool
    package let occurrence: Occurrence
    package let kind: CampaignKind
    /// The hub as it is stored in `runs`.
    package let hub: String
    package let hasPlaceholder: Bool
    package let hasWaves: Bool
    /// When the deletion of its deliveries began; nil if all of them exist.
    package let deliveriesDeleted: Date?

    /// Looks up a run and, if requested, locks its row; throws ``StoreError/noSuchRun(_:)``.
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
        key = try row.int64(0)
        isBeingStaged = try row.text(1) == RunState.staging.rawValue
        kind = try row.word(2)
        hub = try row.text(3)
        let options: PushOptions? = try row.optionalText(4).map(StoredJSON.decode)
        hasPlaceholder = options?.placeholders.isEmpty == false
        hasWaves = try row.bool(5)
        deliveriesDeleted = try row.optionalTime(6)
        occurrence = Occurrence(checked: try row.text(7))
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
    /// The platform's position in the campaign's list, which `deliveries` refers to.
    package let position: Int
    package let platform: Platform
    /// Recipients up to this number are or were `sending`; with waves, this is the highest such
    /// number (``ClaimedRanges``).
    package let claimed: Int

    /// A run's platforms, in order.
    package static func all(of run: StoredRun, _ db: any SQLConnection) throws -> [RunPlatform] {
        try db.rows(
            "SELECT position, platform, claimed FROM run_platforms WHERE run = ?1 ORDER BY position",
            [run.key]
        ) { row in
            RunPlatform(
                position: try row.int(0), platform: try row.word(1), claimed: try row.int(2))
        }
    }

    /// Throws ``StoreError/foreignPlatform(_:_:)`` if the run does not send to the platform.
    package static func find(
        _ platform: Platform, of run: StoredRun, id: RunID, _ db: any SQLConnection
    ) throws -> RunPlatform {
        try all(of: run, db).find(platform, in: id)
    }
}

extension [RunPlatform] {
    fileprivate func find(_ platform: Platform, in run: RunID) throws -> RunPlatform {
        guard let found = first(where: { $0.platform == platform }) else {
            throw StoreError.foreignPlatform(run, platform)
        }
        return found
    }

    package func position(of platform: Platform, in run: RunID) throws -> Int {
        try find(platform, in: run).position
    }
}
