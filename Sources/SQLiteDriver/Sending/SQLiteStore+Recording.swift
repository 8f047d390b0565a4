package import CampaignCore
import Files
import GRDB
import Storage

extension SQLiteStore {
    /// Makes sure that there is room for outcomes and that no file has to be opened to record them.
    package func prepareRecording() async throws {
        if try room.keep() { try await keepTemporaryFilesInMemory() }
    }

    func keepTemporaryFilesInMemory() async throws {
        try await writeWithoutTransaction { try $0.execute(sql: "PRAGMA temp_store = MEMORY") }
    }

    package func record(
        _ records: [DeliveryRecord], requests: Int, of run: RunID
    ) async throws {
        do {
            try await write(records, requests, of: run)
        } catch let error as StoreError where error.lacksRoom && room.give() {
            // If the log cannot grow, merging it may allow it to restart from its beginning.
            if case .limit(_, .fileSize) = error { try await bringLogIn(isEmptied: true) }
            try await write(records, requests, of: run)
        }
    }

    /// A delivery already has a row, although none was expected.
    private struct RowIsThere: Error {}

    /// - Parameter isReplacing: whether to look for existing rows; only deliveries that waited have
    ///   one, so usually this is false.
    private func write(
        _ records: [DeliveryRecord], _ requests: Int, of run: RunID, isReplacing: Bool = false
    ) async throws {
        do {
            try await write(isOfRun: true) { db in
                let stored = try StoredRun(of: run, db)
                let platforms = try RunPlatform.all(of: stored, db)
                let isAnyOpen = try db.hasRow(
                    """
                    SELECT 1 FROM deliveries INDEXED BY deliveries_open
                    WHERE run = ?1 AND state < 2 LIMIT 1
                    """, [stored.key])
                let isReplacing = isReplacing || isAnyOpen
                do {
                    try db.write(
                        records, requests: requests, of: stored, isReplacing: isReplacing
                    ) { try platforms.position(of: $0, in: run) }
                } catch let error as DatabaseError
                    where error.resultCode == .SQLITE_CONSTRAINT && !isReplacing
                {
                    throw RowIsThere()
                }
            }
        } catch is RowIsThere {
            try await write(records, requests, of: run, isReplacing: true)
        }
    }
}
