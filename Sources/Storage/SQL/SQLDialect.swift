/// SQL that differs between SQLite, in a file, and PostgreSQL, on a server.
package struct SQLDialect: Sendable {
    /// Whether this is PostgreSQL.
    ///
    /// Its statistics, which may be outdated, decide in which order tables are read; SQLite joins
    /// them as they are written.
    let isServer: Bool
    /// The checksum that a row of `run_sums` must have; nil if the database keeps none.
    let sealOfSums: String?

    package init(isServer: Bool, sealOfSums: String? = nil) {
        self.isServer = isServer
        self.sealOfSums = sealOfSums
    }

    /// The function for the greatest of several values.
    var greatest: String { isServer ? "greatest" : "max" }

    /// The function for where in a text another one begins, from 1; 0: nowhere.
    var position: String { isServer ? "strpos" : "instr" }

    /// Locks the rows of a query until the transaction ends, where several may write at once.
    var forUpdate: String { isServer ? "FOR UPDATE" : "" }

    /// Keeps others from changing the rows of a query until the transaction ends; they may read
    /// them, with this too.
    var forShare: String { isServer ? "FOR SHARE" : "" }

    /// Removes a delivery from its process, at the end of the `SET` of an `UPDATE`.
    var disowned: String { isServer ? ", member = NULL" : "" }

    /// The column of `registrations` with their owner's name.
    var owner: String { isServer ? "username" : "user" }

    /// The requests of a row of `runs`; those of current members are added when they leave.
    var requests: String {
        isServer
            ? """
            (requests + (SELECT CAST(coalesce(sum(m.requests), 0) AS bigint) FROM run_members m
                WHERE m.run = runs.key))
            """ : "requests"
    }

    /// The platforms of a row of `runs` in their order, with spaces between them.
    var platforms: String {
        let all =
            isServer ? "string_agg(platform, ' ' ORDER BY position)" : "group_concat(platform, ' ')"
        return """
            (SELECT \(all) FROM
                (SELECT platform, position FROM run_platforms WHERE run = runs.key
                ORDER BY position) p)
            """
    }

    /// How many bytes the message of a row `n` of `notifications` has.
    var messageBytes: String {
        isServer ? "octet_length(n.message)" : "length(CAST(n.message AS BLOB))"
    }

    /// Which `content` each `run` uses, as a table; no view in a file, since with one, SQLite looks
    /// for less damage (`PRAGMA integrity_check`).
    var runContents: String {
        isServer
            ? "run_contents" : "(SELECT run, content FROM notifications WHERE content IS NOT NULL)"
    }

    /// Each `run` and `number` of a notification that was revoked alone and is not emptied.
    var revokedNotifications: String {
        isServer
            ? "revoked_notifications"
            : """
            (SELECT run, number FROM notifications n INDEXED BY notifications_revoked
            WHERE revoked IS NOT NULL AND \(PurgeRule.hasContent))
            """
    }

    /// Joins rows of a table that are looked up for each row before, whatever statistics say.
    ///
    /// - Parameters:
    ///   - isOptional: a missing row gives nulls.
    ///   - isSingle: at most one row meets the condition.
    func lookUp(
        _ table: String, as alias: String, isOptional: Bool = false, isSingle: Bool = true,
        where condition: String
    ) -> String {
        let join = isOptional ? "LEFT JOIN" : "CROSS JOIN"
        guard isServer else { return "\(join) \(table) \(alias) ON \(condition)" }
        // The server does not merge a limit into the query around it, so it cannot read all rows.
        return """
            \(join) LATERAL (
                SELECT * FROM \(table) \(alias) WHERE \(condition) \(isSingle ? "LIMIT 1" : "OFFSET 0")
            ) \(alias) \(isOptional ? "ON true" : "")
            """
    }

    /// Makes the database read a table by an index that it would not choose by itself.
    func hint(_ index: String) -> String { isServer ? "" : "INDEXED BY \(index)" }

    /// A function whose result has a row with a `value` for each element of an array in JSON.
    func elements(_ json: String) -> String {
        isServer ? "json_array_elements(CAST(\(json) AS json))" : "json_each(\(json))"
    }

    /// The same for each text of an array of texts.
    func texts(_ json: String) -> String {
        isServer
            ? "json_array_elements_text(CAST(\(json) AS json))" : "json_each(\(json))"
    }

    /// A condition: a number is in an array in JSON, which is read first.
    func isAmong(_ json: String) -> String {
        isServer
            ? "= ANY (ARRAY(SELECT CAST(value AS bigint) FROM \(texts(json))))"
            : "IN (SELECT value FROM json_each(\(json)))"
    }
}
