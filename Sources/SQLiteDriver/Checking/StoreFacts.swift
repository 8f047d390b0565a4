import CampaignCore
import GRDB
import Storage

/// The facts read when a store is opened: its version, its progress, and whether it is intact.
struct StoreFacts {
    let version: StoreVersion
    /// How many times the store has saved; nil in a store of an older version.
    private(set) var saved: Int?
    /// The file's size once the log is merged; nil for a store without tables or another program's
    /// file.
    private(set) var bytes: Int?
    /// Whether any run is marked as being worked on.
    private(set) var isAnyRunning = false

    /// Reads the facts in one transaction; throws if the store is damaged.
    init(_ db: Database) throws {
        version = try StoreVersion(of: db)
        guard version == .older || version == .current else { return }
        try StoreCheck.checkStructure(db)
        bytes = try Int.fetchOne(
            db, sql: "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size")
        guard version == .current else { return }
        try StoreCheck.checkContent(db)
        saved = try StoreProgress.saved(db)
        isAnyRunning = try db.hasRow(
            "SELECT 1 FROM runs WHERE state = ?1 LIMIT 1", [RunState.running.rawValue])
    }
}

enum StoreVersion {
    case empty
    case older
    case current
    case newer
    case foreign

    init(of db: Database) throws {
        // The migrator's own table comes first, in a separate transaction.
        let tables = try Int.fetchOne(
            db, sql: "SELECT count(*) FROM sqlite_schema WHERE tbl_name <> 'grdb_migrations'")
        let mark = try Int.fetchOne(db, sql: "PRAGMA application_id")
        if tables == 0, mark == 0 {
            self = .empty
        } else if mark != StoreSchema.applicationID {
            self = .foreign
        } else if try StoreSchema.migrator.hasBeenSuperseded(db) {
            self = .newer
        } else {
            self = try StoreSchema.migrator.hasCompletedMigrations(db) ? .current : .older
        }
    }
}
