package import PostgreSQLClient
package import Storage

extension PostgreSQLConnection {
    /// The server itself finds damage.
    package func changing(
        _ rows: ChangedRows, of run: Int64, _ change: () throws -> Void
    ) throws {
        try change()
    }

    /// There is one statement, because each call to the server costs as much as many rows.
    package func reseal(_ sealed: [(number: Int, bytes: [UInt8])], of run: Int64) throws {
        try execute(
            """
            UPDATE notifications n SET sealed = v.sealed
            FROM unnest($2::bigint[], $3::bytea[]) AS v (number, sealed)
            WHERE n.run = $1 AND n.number = v.number
            """, [run, sealed.map(\.number), sealed.map(\.bytes)])
    }

    package func keepRunsOut() throws {
        try executeScript("LOCK TABLE runs IN SHARE MODE")
    }

    /// This is done before the change of the notification, because a purge locks the run first, and
    /// the inserted row refers to the run.
    package func noteRevoked(_ number: Int, of run: Int64) throws {
        try execute(
            """
            INSERT INTO revoked_notifications (run, number) VALUES ($1, $2)
            ON CONFLICT (run, number) DO NOTHING
            """, [run, number])
    }

    package func noteEmptied(
        _ numbers: ClosedRange<Int>, of run: Int64, isLast: Bool
    ) throws {
        try execute(
            "DELETE FROM revoked_notifications WHERE run = $1 AND number BETWEEN $2 AND $3",
            [run, numbers.lowerBound, numbers.upperBound])
        if isLast { try releaseContents(of: run) }
    }

    package func hasOwnTables(_ run: Int64) -> Bool { RunPartitions.has(run) }
}
