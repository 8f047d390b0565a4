package import CampaignCore
package import FoundationEssentials
import GRDB
import Storage

extension SQLiteStore {
    package func untold(
        _ run: RunID, platform: Platform, after number: Int, limit: Int
    ) async throws -> [SentMessage] {
        try await read { db in
            let stored = try StoredRun(withDeliveries: run, db)
            let found = try RunPlatform.find(platform, of: stored, id: run, db)
            let query = try NativeStatement(Self.untold, db)
            query.bind(stored.key, at: 1)
            query.bind(found.position, at: 2)
            query.bind(number, at: 3)
            query.bind(limit, at: 4)
            var messages: [SentMessage] = []
            try query.forEachRow { row in
                messages.append(
                    SentMessage(
                        platform: platform, number: row.integer(0), id: try row.requiredText(1)))
            }
            return messages
        }
    }

    private static let untold = """
        SELECT d.number, d.hub_message FROM deliveries d
        WHERE d.run = ?1 AND d.platform = ?2 AND d.number > ?3
            AND d.state = \(Outcome.accepted.stored) AND d.hub_message IS NOT NULL
            AND NOT EXISTS (SELECT 1 FROM telemetry t
                WHERE t.run = d.run AND t.platform = d.platform AND t.number = d.number)
        ORDER BY d.number LIMIT ?4
        """

    package func record(
        _ fates: [(message: SentMessage, fate: MessageFate)], of run: RunID, at time: Date
    ) async throws {
        let known = fates.filter { $0.fate != .unknown }
        for first in stride(from: 0, to: known.count, by: Self.transactionRows) {
            let slice = known[first..<min(first + Self.transactionRows, known.count)]
            try await write { db in
                let stored = try StoredRun(withDeliveries: run, db)
                let positions = Dictionary(
                    uniqueKeysWithValues: try RunPlatform.all(of: stored, db).map {
                        ($0.platform, $0.position)
                    })
                let statement = try db.cachedStatement(
                    sql: """
                        INSERT OR IGNORE INTO telemetry (run, platform, number, fate, told)
                        VALUES (?, ?, ?, ?, ?)
                        """)
                for (message, fate) in slice {
                    guard let position = positions[message.platform] else {
                        throw StoreError.foreignPlatform(run, message.platform)
                    }
                    let text: String? = if case .ended(let text) = fate { text } else { nil }
                    try statement.execute(
                        arguments: [
                            stored.key, position, message.number, text,
                            StoredTime.milliseconds(time),
                        ])
                }
            }
        }
    }
}
