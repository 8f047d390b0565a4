package import CampaignCore
import GRDB
import Storage

extension SQLiteStore {
    package func record(_ receipts: [Receipt]) async throws {
        guard !receipts.isEmpty else { return }
        try await write { db in
            let runs = try Set(receipts.map(\.place.run)).filter { try Self.isKept($0, db) }
            let fetched = try NativeStatement(Self.writing("fetched"), db)
            let read = try NativeStatement(Self.writing("read"), db)
            for receipt in receipts where runs.contains(receipt.place.run) {
                let statement =
                    switch receipt.kind {
                    case .fetched: fetched
                    case .read: read
                    }
                statement.bind(receipt.place.run, at: 1)
                statement.bind(receipt.place.number, at: 2)
                statement.bind(StoredTime.milliseconds(receipt.time), at: 3)
                try statement.run()
            }
        }
    }

    /// False once the deletion of the run's deliveries has begun, which also deletes receipts.
    private static func isKept(_ run: Int64, _ db: Database) throws -> Bool {
        let query = "SELECT 1 FROM runs WHERE key = ? AND deliveries_deleted IS NULL"
        return try Bool.fetchOne(db.cachedStatement(sql: query), arguments: [run]) ?? false
    }

    /// Keeps the first time, and rewrites nothing.
    private static func writing(_ column: String) -> String {
        """
        INSERT INTO receipts (run, number, \(column)) VALUES (?, ?, ?)
        ON CONFLICT (run, number) DO UPDATE SET \(column) = excluded.\(column)
            WHERE receipts.\(column) IS NULL
        """
    }
}
