/// What to do with a run that is not finished.
package struct RunContinuation: Hashable, Sendable {
    /// What stands before the command, up to its colon.
    package let introduction: String
    /// The command's name and its arguments.
    package let words: [String]

    /// - Parameters:
    ///   - run: the run; stopped, paused or left.
    ///   - outcomes: its outcomes.
    package init(of run: RunRecord, _ outcomes: OutcomeCounts) {
        guard run.isAtMissingHub(outcomes), let words = Self.words(toBeginAnew: run) else {
            introduction = "To continue:"
            self.words = ["resume", run.id.text]
            return
        }
        introduction =
            "Nothing of it was sent. With the right hub, this ends the run and begins the campaign anew:"
        self.words = words
    }

    /// The command that begins the sending of a run anew at another hub; nil for a sending that depends on earlier ones there.
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
    /// The words of a command that sends the campaign once more.
    ///
    /// - Parameter outcomes: only to the people whose deliveries ended so, with commas between them; empty: to everybody.
    package func wordsForRest(_ outcomes: String) -> [String] {
        // Standard input has no path.
        ["run", campaignPath == "-" ? "CAMPAIGN" : campaignPath, "--again"]
            + (outcomes.isEmpty ? [] : ["--only", outcomes])
    }

    /// Whether it was paused because its hub does not exist, and reached nobody before.
    package func isAtMissingHub(_ outcomes: OutcomeCounts) -> Bool {
        state == .paused && pause == .missingHub
            && [.accepted, .rejected, .failed, .unknown].allSatisfy { outcomes[$0] == 0 }
    }
}
