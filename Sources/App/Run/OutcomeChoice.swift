import CampaignCore

/// Reads the outcomes of `--only`, such as `failed,rejected`.
enum OutcomeChoice {
    /// Reads a comma-separated list; spaces before a word are ignored.
    static func read(_ text: String) throws(Refused) -> Set<Outcome> {
        var chosen: Set<Outcome> = []
        for word in text.split(separator: ",", omittingEmptySubsequences: false) {
            let name = String(word.drop { $0 == " " })
            guard let outcome = Outcome(rawValue: name), Outcome.repeatable.contains(outcome) else {
                let names = Outcome.repeatable.map(\.rawValue).joined(separator: ",")
                throw Refused(
                    "\"\(name)\" is not an outcome that can be chosen; write one or more of \(names)."
                )
            }
            chosen.insert(outcome)
        }
        return chosen
    }
}
