/// SQL that differs between SQLite, in a file, and PostgreSQL, on a server.
package struct SQLDialect: Sendable {
    /// Whether this is PostgreSQL.
    ///
    /// PostgreSQL uses statistics, which may be outdated, to choose the order in which tables are
    /// read, while SQLite keeps the order in the statement.
    let isServer: Bool
    /// The checksum that a row of `run_sums` must have; nil if the database has none.
    let sealOfSums: String?

    package init(isServer: Bool, sealOfSums: String? = nil) {
        self.isServer = isServer
        self.sealOfSums = sealOfSums
    }

    /// The function that returns the greatest of several values.
    var greatest: String { isServer ? "greatest" : "max" }

    /// The function that returns the position of one string in another, counted from 1; 0 if it
    /// does not occur.
    var position: String { isServer ? "strpos" : "instr" }

    /// Locks the rows of a query until the transaction ends, if the database allows several writers
    /// at once.
    var forUpdate: String { isServer ? "FOR UPDATE" : "" }

    /// Keeps others from changing the rows of a query until the transaction ends; reading the rows
    /// remains possible, even with this lock.
    var forShare: String { isServer ? "FOR SHARE" : "" }

    /// Ends a process's ownership of a delivery; for the end of an `UPDATE`'s `SET` clause.
    var disowned: String { isServer ? ", member = NULL" : "" }

    /// The column of `registrations` with the owner's name.
    var owner: String { isServer ? "username" : "user" }

    /// The requests of a row of `runs`; those of current members are added when they leave.
    var requests: String {
        isServer
            ? """
            (requests + (SELECT CAST(coalesce(sum(m.requests), 0) AS bigint) FROM run_members m
                WHERE m.run = runs.key))
            """ : "requests"
    }

    /// The platforms of a row of `runs`, in order and separated by spaces.
    var platforms: String {
        let all =
            isServer ? "string_agg(platform, ' ' ORDER BY position)" : "group_concat(platform, ' ')"
        return """
            (SELECT \(all) FROM
                (SELECT platform, position FROM run_platforms WHERE run = runs.key
                ORDER BY position) p)
            """
    }

    /// The size in bytes of the message of a row `n` of `notifications`.
    var messageBytes: String {
        isServer ? "octet_length(n.message)" : "length(CAST(n.message AS BLOB))"
    }

    /// A table with the `content` that each `run` uses.
    ///
    /// It is not a view in SQLite, because views make `PRAGMA integrity_check` find less damage.
    var runContents: String {
        isServer
            ? "run_contents" : "(SELECT run, content FROM notifications WHERE content IS NOT NULL)"
    }

    /// The `run` and `number` of each notification that was revoked on its own and has not been
    /// emptied.
    var revokedNotifications: String {
        isServer
            ? "revoked_notifications"
            : """
            (SELECT run, number FROM notifications n INDEXED BY notifications_revoked
            WHERE revoked IS NOT NULL AND \(PurgeRule.hasContent))
            """
    }

    /// Joins a table by looking up its rows for each preceding row, whatever the statistics are.
    ///
    /// - Parameters:
    ///   - isOptional: whether a missing row results in nulls.
    ///   - isSingle: whether no more than one row can meet the condition.
    func lookUp(
        _ table: String, as alias: String, isOptional: Bool = false, isSingle: Bool = true,
        where condition: String
    ) -> String {
        let join = isOptional ? "LEFT JOIN" : "CROSS JOIN"
        guard isServer else { return "\(join) \(table) \(alias) ON \(condition)" }
        // The server does not merge a subquery with a limit into the surrounding query, so it
        // cannot choose to read all rows.
        return """
            \(join) LATERAL (
                SELECT * FROM \(table) \(alias) WHERE \(condition) \(isSingle ? "LIMIT 1" : "OFFSET 0")
            ) \(alias) \(isOptional ? "ON true" : "")
            """
    }

    /// Makes the database use an index that it would not choose by itself.
    func hint(_ index: String) -> String { isServer ? "" : "INDEXED BY \(index)" }

    /// A function that returns a row with a `value` for each element of a JSON array.
    func elements(_ json: String) -> String {
        isServer ? "json_array_elements(CAST(\(json) AS json))" : "json_each(\(json))"
    }

    /// A function that returns a row with a `value` for each string of a JSON array of strings.
    func texts(_ json: String) -> String {
        isServer
            ? "json_array_elements_text(CAST(\(json) AS json))" : "json_each(\(json))"
    }

    /// The condition that a number is in a JSON array, which is read first.
    func isAmong(_ json: String) -> String {
        isServer
            ? "= ANY (ARRAY(SELECT CAST(value AS bigint) FROM \(texts(json))))"
            : "IN (SELECT value FROM json_each(\(json)))"
    }
}
