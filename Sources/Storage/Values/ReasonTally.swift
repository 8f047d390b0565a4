package import CampaignCore

/// Counts why deliveries of a run were refused, failed or have no answer.
package struct ReasonTally {
    /// Reasons that are told apart; what comes beyond them is not counted, so that no hub's answers fill the memory.
    private static let most = 1_000

    /// Stands for somebody whose name is not known any more.
    private static let somebodyForgotten = Username(checked: "(forgotten)")

    private struct Reason: Hashable {
        let outcome: Outcome
        let text: String
    }

    private var found: [Reason: (count: Int, number: Int)] = [:]
    /// Mostly the same as that of the row before.
    private var last: (detail: String, essence: String) = ("", "")

    package init() {}

    /// Counts deliveries that ended with the same words.
    ///
    /// - Parameters:
    ///   - outcome: theirs.
    ///   - detail: the words.
    ///   - count: how many there are.
    ///   - number: of whom one of them is; the first one's is kept.
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

    /// The most frequent reasons first.
    ///
    /// - Parameters:
    ///   - limit: how many at most.
    ///   - nameOf: the name of a recipient, empty for who was forgotten; nil: nobody is named.
    /// - Throws: what `nameOf` throws.
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
