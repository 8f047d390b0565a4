import CampaignCore
import Crypto
import FoundationEssentials
import GRDB
package import Storage

/// A store in a file whose rows go into another store.
///
/// It holds SQLite's write lock throughout: others can read, and writers are told that the store is
/// in use.
package final class SQLiteSource: StoreSource {
    private let store: SQLiteStore
    private let queue: DatabaseQueue

    /// Takes the lock; the store must stay open.
    package init(
        _ store: SQLiteStore, options: StoreOptions = StoreOptions()
    ) throws(StoreError) {
        self.store = store
        var configuration = Configuration()
        configuration.busyMode = .timeout(options.busyTimeout / .seconds(1))
        configuration.label = "hubsend.source"
        // The transaction lasts as long as the connection.
        configuration.allowsUnsafeTransactions = true
        configuration.prepareDatabase { db in
            try db.execute(sql: "PRAGMA cell_size_check = ON")
            RowSeal.addFunctions(to: db)
        }
        do {
            queue = try DatabaseQueue(path: store.path, configuration: configuration)
            try queue.inDatabase { db in
                try db.beginTransaction(.immediate)
                try db.execute(sql: "PRAGMA query_only = ON")
            }
        } catch {
            throw StoreError.opening(error, at: store.place)
        }
    }

    package func close() throws(StoreError) {
        do {
            try queue.inDatabase { db in try db.rollback() }
            try queue.close()
        } catch {
            throw StoreError.opening(error, at: store.place)
        }
    }

    /// In name order.
    package func campaigns() throws -> [String] {
        try read { db in
            try db.rows("SELECT DISTINCT campaign FROM runs ORDER BY campaign") { try $0.text(0) }
        }
    }

    package func columns(of table: String) throws -> Set<String> {
        try read { db in
            Set(
                try db.rows("SELECT name FROM pragma_table_xinfo(?1)", [table]) {
                    try $0.text(0)
                })
        }
    }

    package func nameHash() throws -> NameHash? {
        try read(store.nameHash)
    }

    package func fingerprint() throws -> String {
        try inDatabase { db in
            var hash = SHA256()
            for look in Self.looks {
                let cursor = try Row.fetchCursor(db, sql: look)
                while let row = try cursor.next() {
                    for value in row.databaseValues {
                        // With its length, so that no other values give the same bytes.
                        let text = "\(value)"
                        hash.update(data: Data("\(text.utf8.count) \(text)\n".utf8))
                    }
                }
            }
            return Hexadecimal.text(Array(hash.finalize().prefix(16)))
        }
    }

    /// All small tables, and of large ones the parts that any change affects; the runs' digests
    /// cover the rest.
    private static let looks = [
        "SELECT * FROM runs ORDER BY key",
        "SELECT * FROM run_platforms ORDER BY run, position",
        "SELECT * FROM run_waves ORDER BY run, number",
        "SELECT * FROM wave_claims ORDER BY run, platform, wave",
        "SELECT * FROM run_sums ORDER BY run",
        "SELECT * FROM schedules ORDER BY hub, campaign",
        "SELECT * FROM troubles ORDER BY key",
        "SELECT hex(hash), forgotten FROM forgotten ORDER BY hash",
        "SELECT count(*) FROM recipients WHERE name <> ''",
        "SELECT count(*), count(sealed), count(content), count(revoked) FROM notifications",
        """
        SELECT count(*), sum(state), sum(attempts), max(recorded), sum(recorded % 1000003)
        FROM deliveries
        """,
        """
        SELECT count(*), count(fetched), count(read), max(fetched), max(read) FROM receipts
        """,
        "SELECT count(*), max(told) FROM telemetry",
        "SELECT count(*), max(updated), sum(updated % 1000003) FROM registrations",
    ]

    package func read<Value>(_ body: (any SQLConnection) throws -> Value) throws -> Value {
        try inDatabase { try body($0) }
    }

    private func inDatabase<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try queue.inDatabase { db in
            do {
                return try body(db)
            } catch {
                throw StoreError.translating(error, at: store.place, .success(db))
            }
        }
    }
}
