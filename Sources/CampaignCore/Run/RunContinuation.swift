/// What to do with a run that is not finished.
package struct RunContinuation: Hashable, Sendable {
    private let run: RunID
    /// The words that end it and begin it anew at another hub; nil: it is continued.
    private let anew: [String]?

    package init(of run: RunRecord, _ outcomes: OutcomeCounts) {
        self.run = run.id
        anew = run.isAtMissingHub(outcomes) ? Self.words(toBeginAnew: run) : nil
    }

    /// Ends with a command.
    package func sentence(_ command: CommandForm) -> String {
        guard let anew else { return "To continue: \(command(["resume", run.text]))" }
        return "Nothing was sent. Correct the hub's name first, in the config or in "
            + "HUBSEND_HUB_NAME; then this ends the run and begins the campaign anew: "
            + command(anew, hasOtherHub: true)
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
            && Outcome.sent.allSatisfy { outcomes[$0] == 0 }
    }
}
