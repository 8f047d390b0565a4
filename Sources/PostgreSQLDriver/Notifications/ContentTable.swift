import Crypto
import FoundationEssentials
import PostgreSQLClient
import Storage

/// Content that is not secret, stored once for all runs and notifications.
///
/// A writer locks the content's row, shared, and records that the run uses it. A deleter locks it
/// exclusively, and then checks again that no run uses it.
enum ContentTable {
    /// The key of a content, which is stored if it is unknown.
    static func key(
        of content: [UInt8], in run: Int64, _ db: PostgreSQLConnection
    ) throws -> Int64 {
        let digest = Array(SHA256.hash(data: content))
        let known = try db.row(
            "SELECT key FROM contents WHERE digest = $1 FOR KEY SHARE", [digest])
        // The row is locked either way, even if another host has just stored it.
        let row =
            try known
            ?? db.row(
                """
                INSERT INTO contents (digest, bytes) VALUES ($1, $2)
                ON CONFLICT (digest) DO UPDATE SET digest = excluded.digest RETURNING key
                """, [digest, content])
        guard let key = try row?.int64(0) else { throw DamagedValue() }
        try db.execute(
            """
            INSERT INTO run_contents (run, content) VALUES ($1, $2)
            ON CONFLICT (run, content) DO NOTHING
            """, [run, key])
        return key
    }

    /// Removes the uses of content that none of a run's notifications refers to.
    static func release(of run: Int64, _ db: PostgreSQLConnection) throws {
        try db.execute(
            """
            DELETE FROM run_contents k WHERE k.run = $1 AND NOT EXISTS
                (SELECT 1 FROM notifications n WHERE n.run = $1 AND n.content = k.content)
            """, [run])
    }
}
