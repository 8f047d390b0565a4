import CampaignCore

/// A choice of outcomes, such as `failed,rejected`, whose people are sent the campaign again.
enum OutcomeChoice {
    /// Reads a choice; spaces before a word are ignored.
    static func read(_ text: String) throws(Refused) -> Set<Outcome> {
        var chosen: Set<Outcome> = []
        for word in text.split(separator: ",", omittingEmptySubsequences: false) {
            let name = String(word.drop { $0 == " " })
            guard let outcome = Outcome(rawValue: name), Outcome.repeatable.contains(outcome) else {
                let names = Outcome.repeatable.map(\.rawValue).joined(separator: ",")
                throw Refused(
                    "\"\(name)\" is no outcome that can be chosen; write some of \(names).")
            }
            chosen.insert(outcome)
        }
        return chosen
    }
}
