import CampaignFormat
import Settings
import Terminal

/// What keeps one campaign, or all campaigns, from being sent.
struct DueObstacle: Sendable {
    fileprivate let trouble: Trouble
    fileprivate let error: any Error
    /// The findings that are shown; empty: the error says what is wrong.
    fileprivate let findings: [Diagnostic]
    /// The campaign that it is about; nil: it is not known.
    fileprivate let campaign: String?

    /// An error.
    init(_ subject: Trouble.Subject, _ error: any Error, of campaign: String? = nil) {
        trouble = Trouble(subject, error)
        self.error = error
        findings = []
        self.campaign = campaign
    }

    /// Faults in files.
    init(_ subject: Trouble.Subject, _ faults: [Diagnostic], of campaign: String? = nil) {
        trouble = Trouble(subject, faults)
        error = FindingsShown()
        findings = faults
        self.campaign = campaign
    }
}

/// Tells people what is in the way of campaigns, each obstacle once.
struct ObstacleTeller: Sendable {
    let output: RunOutput
    let watch: RunWatch
    let invocation: Invocation
    /// What was said before.
    let memory: TroubleMemory

    /// Says what is in the way, unless it was said before.
    ///
    /// - Returns: one end for each obstacle that was told.
    func tell(_ obstacles: [DueObstacle]) async -> [CampaignEnd] {
        var ends: [CampaignEnd] = []
        for obstacle in obstacles where await memory.isNews(obstacle.trouble) {
            if let campaign = obstacle.campaign { watch.expect([campaign]) }
            ends.append(say(obstacle))
        }
        return ends
    }

    private func say(_ obstacle: DueObstacle) -> CampaignEnd {
        guard !obstacle.findings.isEmpty else { return output.failed(obstacle.error) }
        do {
            try FindingsOutput(invocation: invocation, format: .text)
                .complain(obstacle.findings.sorted())
        } catch {
            return output.failed(error)
        }
        Console.complain(
            "hubsend: \(FindingsOutput.tally(obstacle.findings)); it is not sent until that is mended."
        )
        return .failed(obstacle.error)
    }
}
