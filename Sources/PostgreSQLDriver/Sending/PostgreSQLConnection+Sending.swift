package import CampaignCore
package import PostgreSQLClient
package import Storage

extension PostgreSQLConnection {
    /// People, followed by their notifications, in one snapshot and one round trip.
    ///
    /// They are matched afterwards: a join at the server would look up each row, which costs more
    /// than all the rest, since it cannot know how many people have their own.
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

    package func insert(
        _ records: [DeliveryRecord], of run: StoredRun, position: (Platform) throws -> Int
    ) throws {
        try DeliveryRows(records, position: position).write(to: run, self)
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
        try ClaimedPages.add(numbers, of: run, on: position, self)
    }
}
