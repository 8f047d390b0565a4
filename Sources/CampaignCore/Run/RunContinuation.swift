/// What to do with a run that is not finished.
package struct RunContinuation: Hashable, Sendable {
    /// The text before the command, up to its colon.
    package let introduction: String
    package let words: [String]

    package init(of run: RunRecord, _ outcomes: OutcomeCounts) {
        guard run.isAtMissingHub(outcomes), let words = Self.words(toBeginAnew: run) else {
            introduction = "To continue:"
            self.words = ["resume", run.id.text]
            return
        }
        introduction =
            "Nothing was sent. Correct the hub's name first, here too if the command has it; then this ends the run and begins the campaign anew:"
        self.words = words
    }

    /// The command that repeats the sending at another hub; nil if it depends on earlier ones.
    package static func words(toBeginAnew run: RunRecord) -> [String]? {
        let occurrence = run.occurrence
        guard !run.isRehearsal, run.campaignPath != "-", !occurrence.isRest,
            occurrence.fallbackOf == nil
        else { return nil }
        let options =
            occurrence == .once
            ? [] : occurrence.isAgain ? ["--again"] : ["--occurrence", occurrence.text]
        return ["run", run.campaignPath] + options
    }
}

extension RunRecord {
    /// The command that sends again; empty `outcomes`: to everybody.
    package func wordsForRest(_ outcomes: String) -> [String] {
        // Standard input has no path.
        ["run", campaignPath == "-" ? "CAMPAIGN" : campaignPath, "--again"]
            + (outcomes.isEmpty ? [] : ["--only", outcomes])
    }

    /// Whether it paused because its hub does not exist, and reached nobody before.
    package func isAtMissingHub(_ outcomes: OutcomeCounts) -> Bool {
        state == .paused && pause == .missingHub
            && [.accepted, .rejected, .failed, .unknown].allSatisfy { outcomes[$0] == 0 }
    }
}
