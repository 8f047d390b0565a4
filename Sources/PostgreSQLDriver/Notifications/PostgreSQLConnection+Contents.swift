import Crypto
import FoundationEssentials
package import PostgreSQLClient
import Storage

/// Content that is not secret is stored once for all runs and notifications.
///
/// A writer takes a shared lock on the content's row and records that the run uses it. A deleter
/// locks the row exclusively and then checks again that no run uses it.
extension PostgreSQLConnection {
    package func key(of content: [UInt8], in run: Int64) throws -> Int64 {
        let digest = Array(SHA256.hash(data: content))
        var row = try self.row("SELECT key FROM contents WHERE digest = $1 FOR KEY SHARE", [digest])
        if row == nil {
            // The row is locked either way, even if another host has just stored it.
            row = try self.row(
                """
                INSERT INTO contents (digest, bytes) VALUES ($1, $2)
                ON CONFLICT (digest) DO UPDATE SET digest = excluded.digest RETURNING key
                """, [digest, content])
        }
        guard let key = try row?.int64(0) else { throw DamagedValue() }
        try execute(
            """
            INSERT INTO run_contents (run, content) VALUES ($1, $2)
            ON CONFLICT (run, content) DO NOTHING
            """, [run, key])
        return key
    }

    /// Removes the records of a run's use of content that none of its notifications refers to.
    func releaseContents(of run: Int64) throws {
        try execute(
            """
            DELETE FROM run_contents k WHERE k.run = $1 AND NOT EXISTS
                (SELECT 1 FROM notifications n WHERE n.run = $1 AND n.content = k.content)
            """, [run])
    }

    /// Makes all notifications of a run available for fetching, in the transaction that ends its
    /// staging.
    ///
    /// Ids are random, so they are sorted to write each page of the index once.
    func indexNotifications(of run: Int64) throws {
        try execute(
            """
            INSERT INTO notification_ids (id, run, number)
            SELECT id, run, number FROM notifications WHERE run = $1 ORDER BY id
            """, [run])
    }
}
