import CampaignCore

/// A choice of outcomes, such as `failed,rejected`, whose people are sent the campaign again.
enum OutcomeChoice {
    struct Fault: Error, CustomStringConvertible {
        fileprivate let word: String

        var description: String {
            let names = allowed.map(\.rawValue).joined(separator: ",")
            return "\"\(word)\" is no outcome that can be chosen; write some of \(names)."
        }
    }

    /// Without `accepted`, so that nobody is sent a campaign twice by accident.
    private static let allowed: [Outcome] = [
        .failed, .rejected, .unknown, .skipped, .notAttempted,
    ]

    /// Reads a choice; spaces before a word are ignored.
    static func read(_ text: String) throws(Fault) -> Set<Outcome> {
        var chosen: Set<Outcome> = []
        for word in text.split(separator: ",", omittingEmptySubsequences: false) {
            let name = String(word.drop { $0 == " " })
            guard let outcome = Outcome(rawValue: name), allowed.contains(outcome) else {
                throw Fault(word: name)
            }
            chosen.insert(outcome)
        }
        return chosen
    }
}
