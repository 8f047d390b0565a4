package import CampaignCore
import GRDB
import Storage

extension SQLiteStore {
    package func record(_ receipts: [Receipt]) async throws {
        guard !receipts.isEmpty else { return }
        try await write { db in
            let fetched = try NativeStatement(Self.writing("fetched"), db)
            let read = try NativeStatement(Self.writing("read"), db)
            for receipt in receipts {
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

    /// Keeps the first time, rewrites nothing, and skips people whose deliveries were deleted.
    private static func writing(_ column: String) -> String {
        """
        INSERT INTO receipts (run, number, \(column))
        SELECT ?1, ?2, ?3 WHERE EXISTS (SELECT 1 FROM recipients WHERE run = ?1 AND number = ?2)
        ON CONFLICT (run, number) DO UPDATE SET \(column) = excluded.\(column)
            WHERE receipts.\(column) IS NULL
        """
    }
}
