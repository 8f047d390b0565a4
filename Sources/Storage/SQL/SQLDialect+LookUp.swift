extension SQLDialect {
    /// Joins rows of a table that are looked up for each row before, whatever statistics say.
    ///
    /// - Parameters:
    ///   - isOptional: nulls stand for a row that is not there.
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

    /// Has a table read by an index that the database would not choose by itself.
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
