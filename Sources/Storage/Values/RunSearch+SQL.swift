package import CampaignCore

extension RunSearch {
    /// The condition, the order and the limit, as both kinds of store understand them.
    ///
    /// - Parameters:
    ///   - notRehearsal: the condition that leaves rehearsals out.
    ///   - parameter: how the store writes the parameter of a number, from 1.
    /// - Returns: what follows the name of the table, and the values of the parameters.
    package func sql(
        notRehearsal: String, parameter: (Int) -> String
    ) -> (text: String, values: [String]) {
        var values = [campaign, occurrences.pattern]
        let states = states.map { "'\($0.rawValue)'" }.sorted().joined(separator: ", ")
        var text = """
            WHERE \(notRehearsal) AND campaign = \(parameter(1))
                AND occurrence \(occurrences.isMatched ? "" : "NOT ")LIKE \(parameter(2))
                AND state IN (\(states))
            """
        for case let (column, value?) in [
            ("hub", hub?.description), ("occurrence", occurrence?.text), ("plan", plan?.text),
        ] {
            values.append(value)
            text += " AND \(column) = \(parameter(values.count))"
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
