import CampaignCore
import Crypto
import FoundationEssentials
import GRDB
package import Storage

/// A store in a file whose rows are copied into another store.
///
/// It holds SQLite's write lock throughout, so others can read, but writers are told that the store
/// is in use.
package final class SQLiteSource: StoreSource {
    private let store: SQLiteStore
    private let queue: DatabaseQueue

    /// Takes the lock; the store must stay open.
    package init(
        _ store: SQLiteStore, options: StoreOptions = StoreOptions()
    ) throws(StoreError) {
        self.store = store
        var configuration = SQLiteStore.configuration(options)
        configuration.label = "hubsend.source"
        // The transaction lasts as long as the connection.
        configuration.allowsUnsafeTransactions = true
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

    /// The tables, in name order.
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
                        // The length is included, so that no other values give the same bytes.
                        let text = "\(value)"
                        hash.update(data: Data("\(text.utf8.count) \(text)\n".utf8))
                    }
                }
            }
            return Hexadecimal.text(Array(hash.finalize().prefix(16)))
        }
    }

    /// All small tables, and those parts of large tables that any change affects.
    ///
    /// Columns that a schema step changes, such as digests, are not included, so that a transfer
    /// can be continued after an upgrade.
    private static let looks = [
        """
        SELECT key, id, campaign, hub, occurrence, is_rehearsal, state, reason, kind,
            is_message_private, campaign_path, delivery, fingerprints, named, duplicate, excluded,
            final, requests, stop_request, started, finished, expires, revoked, purged,
            push_options, plan, pause, resumes, fallback_requests, deliveries_deleted, started_by
        FROM runs ORDER BY key
        """,
        "SELECT run, position, platform, claimed, claimed_at FROM run_platforms ORDER BY 1, 2",
        "SELECT run, number, first, last, turn, zones FROM run_waves ORDER BY 1, 2",
        "SELECT run, platform, wave, claimed FROM wave_claims ORDER BY 1, 2, 3",
        "SELECT run, is_begun, sums FROM run_sums ORDER BY run",
        "SELECT hub, campaign, schedule, seen FROM schedules ORDER BY 1, 2",
        "SELECT key, digest, told FROM troubles ORDER BY key",
        "SELECT hex(hash), forgotten FROM forgotten ORDER BY hash",
        "SELECT hex(check_value) FROM payload_key",
        "SELECT count(*), sum(length(name)) FROM recipients WHERE name <> ''",
        """
        SELECT count(*), count(type), count(message), count(texts), count(sealed), count(content),
            count(revoked)
        FROM notifications
        """,
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
                throw StoreError.translating(error, at: store.place, db)
            }
        }
    }
}
