import CampaignCore

extension RunOverview {
    /// How many reasons a summary tells.
    package static let mostReasons = 5

    /// Why deliveries came to nothing, each reason with one person whom it met; empty when there is nothing to tell.
    var reasonLines: [String] {
        guard !reasons.isEmpty else { return [] }
        var table = TextTable([.right, .left, .left, .left], indent: 2)
        for reason in reasons {
            table.append([
                Figures.count(reason.count), reason.outcome.rawValue,
                "such as \(reason.example)", Self.words(reason),
            ])
        }
        let all = TroubleReason.outcomes.reduce(0) { $0 + outcomes[$1] }
        let left = all - reasons.reduce(0) { $0 + $1.count }
        let rest =
            left > 0
            ? ["  \(Figures.count(left)) more for other reasons, which the report names"] : []
        return ["Reasons, the most frequent first:"] + table.lines() + rest
    }

    /// The most frequent reason as a sentence, without a person's name; nil when there is none.
    package var mainReason: String? {
        reasons.first.map { reason in
            "The most frequent reason: \(Self.words(reason)) "
                + "(\(Figures.count(reason.count)) \(reason.outcome.rawValue))."
        }
    }

    private static func words(_ reason: TroubleReason) -> String {
        reason.reason.isEmpty ? "nothing was said" : HubText.cleaned(reason.reason)
    }
}
