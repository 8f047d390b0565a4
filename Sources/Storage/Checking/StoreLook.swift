import CampaignCore
import GRDB

/// What a store says of itself when it is opened, and whether it is whole.
struct StoreLook {
    let version: StoreVersion
    /// How often it has saved; nil in a store of an older version.
    private(set) var saved: Int?
    /// The bytes that the file has once its log is brought in; nil in a store without tables, or another program's.
    private(set) var bytes: Int?
    /// Whether a run is marked as being worked on.
    private(set) var isAnyRunning = false

    /// Looks at a store in one transaction.
    ///
    /// - Throws: `DatabaseError`, also when it is damaged.
    init(_ db: Database) throws {
        version = try StoreVersion(of: db)
        guard version == .older || version == .current else { return }
        try StoreCheck.checkStructure(db)
        bytes = try Int.fetchOne(
            db, sql: "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size")
        guard version == .current else { return }
        try StoreCheck.checkContent(db)
        saved = try StoreProgress.saved(db)
        isAnyRunning =
            try Row.fetchOne(
                db, sql: "SELECT 1 FROM runs WHERE state = ?",
                arguments: [RunState.running.rawValue]) != nil
    }
}
