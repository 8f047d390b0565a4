package import CampaignCore

package struct ReasonTally {
    /// The maximum number of distinct reasons, so that a hub's answers cannot fill the memory.
    private static let most = 1_000

    private static let somebodyForgotten = Username(checked: "(forgotten)")

    private struct Reason: Hashable {
        let outcome: Outcome
        let text: String
    }

    private var found: [Reason: (count: Int, number: Int)] = [:]
    /// This is usually the same reason as in the previous row.
    private var last: (detail: String, essence: String) = ("", "")

    package init() {}

    /// Counts deliveries that ended for the same reason, and keeps the recipient of the first one.
    package mutating func add(
        _ outcome: Outcome, detail: String, count: Int = 1, of number: Int
    ) {
        if detail != last.detail { last = (detail, TroubleReason.essence(of: detail)) }
        let reason = Reason(outcome: outcome, text: last.essence)
        if let known = found[reason] {
            found[reason] = (known.count + count, known.number)
        } else if found.count < Self.most {
            found[reason] = (count, number)
        }
    }

    /// Returns the most frequent reasons; `nameOf` returns a recipient's name, empty if forgotten,
    /// and is nil if names are hidden.
    package func reasons(
        limit: Int, nameOf: ((_ number: Int) throws -> String)?
    ) rethrows -> [TroubleReason] {
        try found.sorted { one, other in
            (other.value.count, one.key.outcome.rawValue, one.key.text)
                < (one.value.count, other.key.outcome.rawValue, other.key.text)
        }.prefix(limit).map { reason, met in
            let example = try nameOf.map { nameOf in
                let name = try nameOf(met.number)
                return name.isEmpty ? Self.somebodyForgotten : Username(checked: name)
            }
            return TroubleReason(
                outcome: reason.outcome, reason: reason.text, count: met.count, example: example)
        }
    }
}
