package import CampaignCore

extension RunSearch {
    /// The SQL that follows the table's name (condition, order and limit), and its values.
    package var sql: (text: String, values: [String]) {
        var values: [String] = []
        let listed = states.map { "'\($0.rawValue)'" }.sorted().joined(separator: ", ")
        var text = "WHERE state IN (\(listed))"
        // An index is used only if the query repeats the condition of the index.
        if !states.contains(.finished) { text += " AND state <> '\(RunState.finished.rawValue)'" }
        if kind != .any { text += " AND NOT is_rehearsal" }
        let pattern = occurrences.map { ($0.isMatched ? "LIKE" : "NOT LIKE", $0.pattern) }
        for case let (column, comparison, value?) in [
            ("campaign", "=", campaign), ("hub", "=", hub?.description),
            ("occurrence", pattern?.0 ?? "", pattern?.1),
            ("occurrence", "=", occurrence?.text), ("plan", "=", plan?.text),
        ] {
            values.append(value)
            text += " AND \(column) \(comparison) ?\(values.count)"
        }
        if let endedAfter {
            text +=
                " AND (finished IS NULL OR finished > \(StoredTime.milliseconds(endedAfter)))"
        }
        if let startedFrom {
            text += " AND started >= \(StoredTime.milliseconds(startedFrom))"
        }
        text += " ORDER BY started DESC, key DESC"
        if let limit { text += " LIMIT \(limit)" }
        return (text, values)
    }
}
