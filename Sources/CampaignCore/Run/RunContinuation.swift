/// How to continue a run that is not finished.
package struct RunContinuation: Hashable, Sendable {
    private let run: RunID
    /// The command that ends the run and starts it again at another hub; nil if the run can
    /// continue.
    private let anew: [String]?

    package init(of run: RunRecord, _ outcomes: OutcomeCounts) {
        self.run = run.id
        anew = run.isAtMissingHub(outcomes) ? Self.words(toBeginAnew: run) : nil
    }

    /// Returns a sentence that ends with a command.
    package func sentence(_ command: CommandForm) -> String {
        guard let anew else { return "To continue: \(command(["resume", run.text]))" }
        return "Nothing was sent. First correct the hub's name, in the config or in "
            + "HUBSEND_HUB_NAME. Then this command ends the run and starts the campaign again: "
            + command(anew, hasOtherHub: true)
    }

    /// The command that repeats the sending at another hub; nil if the sending depends on earlier
    /// ones.
    package static func words(toBeginAnew run: RunRecord) -> [String]? {
        let occurrence = run.occurrence
        guard !run.isRehearsal, run.campaignPath != "-", !occurrence.isFollowUp,
            occurrence.fallbackOf == nil
        else { return nil }
        let options =
            occurrence == .once
            ? [] : occurrence.isAgain ? ["--again"] : ["--occurrence", occurrence.text]
        return ["run", run.campaignPath] + options
    }
}

extension RunRecord {
    /// The command that sends the campaign again, to everybody if `outcomes` is empty.
    package func wordsToSendAgain(_ outcomes: String) -> [String] {
        // A campaign from standard input has no path.
        ["run", campaignPath == "-" ? "CAMPAIGN" : campaignPath, "--again"]
            + (outcomes.isEmpty ? [] : ["--only", outcomes])
    }

    /// Whether the run is paused because its hub does not exist, and has reached nobody.
    package func isAtMissingHub(_ outcomes: OutcomeCounts) -> Bool {
        state == .paused && pause == .missingHub
            && Outcome.sent.allSatisfy { outcomes[$0] == 0 }
    }
}
