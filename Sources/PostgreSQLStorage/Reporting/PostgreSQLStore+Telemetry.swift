package import CampaignCore
package import FoundationEssentials
import PostgreSQLClient
import Storage

extension PostgreSQLStore {
    package func untold(
        _ run: RunID, platform: Platform, after number: Int, limit: Int
    ) async throws -> [SentMessage] {
        try await read { db in
            let stored = try StoredRun(withDeliveries: run, db)
            let found = try RunPlatform.find(platform, of: stored, id: run, db)
            return try db.rows(Self.untold, [stored.key, found.position, number, limit]).map {
                row in
                SentMessage(
                    platform: platform, number: try row.int(0),
                    id: StoredText.decode(try row.text(1)))
            }
        }
    }

    /// Looked up by key, even if the server does not know yet how many rows there are.
    private static let untold = """
        SELECT d.number, d.hub_message FROM deliveries d
        LEFT JOIN LATERAL (SELECT told FROM telemetry
            WHERE run = $1 AND platform = $2 AND number = d.number LIMIT 1) t ON true
        WHERE d.run = $1 AND d.platform = $2 AND d.number > $3
            AND d.state = \(Outcome.accepted.stored) AND d.hub_message IS NOT NULL
            AND t.told IS NULL
        ORDER BY d.number LIMIT $4
        """

    package func record(
        _ fates: [(message: SentMessage, fate: MessageFate)], of run: RunID, at time: Date
    ) async throws {
        let known = fates.filter { $0.fate != .unknown }
        let told = StoredTime.milliseconds(time)
        for first in stride(from: 0, to: known.count, by: Self.transactionRows) {
            let slice = Array(known[first..<min(first + Self.transactionRows, known.count)])
            try await write { db in
                // A deletion of the run's deliveries waits for this, or this sees it.
                try TransactionLock.receipts.take(StoredRun(of: run, db).key, isShared: true, db)
                let stored = try StoredRun(withDeliveries: run, db)
                let positions = Dictionary(
                    uniqueKeysWithValues: try RunPlatform.all(of: stored, db).map {
                        ($0.platform, $0.position)
                    })
                let platforms = try slice.map { entry in
                    guard let position = positions[entry.message.platform] else {
                        throw StoreError.foreignPlatform(run, entry.message.platform)
                    }
                    return position
                }
                let texts: [String?] = slice.map { entry in
                    if case .ended(let text) = entry.fate { StoredText.encode(text) } else { nil }
                }
                try db.execute(
                    Self.telling,
                    [stored.key, told, platforms, slice.map(\.message.number), texts])
            }
        }
    }

    /// Keeps the first message; in order, so that two writers do not wait for each other.
    private static let telling = """
        INSERT INTO telemetry (run, platform, number, fate, told)
        SELECT $1, u.platform, u.number, u.fate, $2
        FROM unnest($3::bigint[], $4::bigint[], $5::text[]) AS u (platform, number, fate)
        ORDER BY u.platform, u.number
        ON CONFLICT (run, platform, number) DO NOTHING
        """
}
