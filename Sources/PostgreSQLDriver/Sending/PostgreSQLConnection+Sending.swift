package import CampaignCore
package import PostgreSQLClient
package import Storage

extension PostgreSQLConnection {
    /// Reads people, followed by their notifications, in one snapshot and one round trip.
    ///
    /// They are matched afterwards, because a join at the server would look up each row, which
    /// would cost more than everything else: the server cannot know how many people have a personal
    /// notification.
    package func readPage(
        _ page: String, _ values: [any SQLBindable], isDense: Bool, of run: StoredRun,
        _ body: (any SQLRow) throws -> Void
    ) throws {
        let own =
            isDense
            ? """
            FROM notifications n
            WHERE n.run = ?1 AND n.number BETWEEN (SELECT min(number) FROM page)
                AND (SELECT max(number) FROM page)
            """
            : """
            FROM page p
            CROSS JOIN LATERAL (
                SELECT * FROM notifications WHERE run = ?1 AND number = p.number LIMIT 1
            ) n
            """
        let notification = ClaimQuery.notification(of: run)
        let statement = """
            WITH page AS MATERIALIZED (\(page))
            SELECT number, name, notification, attempts, is_uncertain, NULL::text, NULL::text,
                NULL::text, NULL::bytea, NULL::bytea, NULL::boolean
            FROM page
            UNION ALL
            SELECT \(notification) FROM notifications n WHERE n.run = ?1 AND n.number <= 0
            UNION ALL
            SELECT \(notification) \(own)
            """
        _ = try rows(statement, values) { row in try body(row) }
    }

    /// Records outcomes and returns the run's key; `member` owns waiting deliveries, unless it is
    /// nil.
    @discardableResult
    func record(
        _ records: [DeliveryRecord], of run: RunID, member: Int64? = nil
    ) throws -> Int64 {
        let stored = try StoredRun(of: run, self)
        let platforms = try RunPlatform.all(of: stored, self)
        let rows = try DeliveryRows(records, of: member) { platform in
            try platforms.position(of: platform, in: run)
        }
        try rows.write(to: stored.key, self)
        return stored.key
    }

    package func insert(
        _ records: [DeliveryRecord], of run: StoredRun, position: (Platform) throws -> Int
    ) throws {
        try DeliveryRows(records, position: position).write(to: run.key, self)
    }

    package func updateDeliveries(
        of run: Int64, set assignments: String, where condition: String,
        _ values: [any SQLBindable]
    ) throws {
        try self.run("UPDATE deliveries SET \(assignments) WHERE \(condition)", values)
    }

    package func insertDeliveries(
        of run: Int64, _ statement: String, _ values: [any SQLBindable]
    ) throws {
        try self.run(statement, values)
    }

    package func note(
        claimOf numbers: ClosedRange<Int>, of run: Int64, on position: Int
    ) throws {
        // Consecutive numbers share a row.
        try execute(
            """
            WITH longer AS (
                UPDATE claimed_pages SET last = $4
                WHERE run = $1 AND platform = $2 AND member IS NULL AND last = $3 - 1
                RETURNING 1
            )
            INSERT INTO claimed_pages (run, platform, first, last)
            SELECT $1, $2, $3, $4 WHERE NOT EXISTS (SELECT 1 FROM longer)
            """, [run, position, numbers.lowerBound, numbers.upperBound])
    }
}
