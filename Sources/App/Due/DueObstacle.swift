import CampaignFormat

/// A reason why one campaign, or all campaigns, cannot be sent.
struct DueObstacle: Sendable {
    fileprivate let trouble: Trouble
    fileprivate let error: any Error
    /// The findings to show; without findings, the error says what is wrong.
    fileprivate let findings: [Diagnostic]
    /// The campaign that cannot be sent, if it is known.
    fileprivate let campaign: String?

    init(_ subject: Trouble.Subject, _ error: any Error, of campaign: String? = nil) {
        trouble = Trouble(subject, error)
        self.error = error
        findings = []
        self.campaign = campaign
    }

    init(_ subject: Trouble.Subject, _ findings: [Diagnostic], of campaign: String? = nil) {
        trouble = Trouble(subject, findings)
        error = Refused.findingsShown
        self.findings = findings
        self.campaign = campaign
    }
}

/// Reports each obstacle only once.
struct ObstacleReporter: Sendable {
    let call: RunCall
    let memory: TroubleMemory

    /// Reports obstacles that were not reported before, and returns a result for each obstacle.
    func report(_ obstacles: [DueObstacle]) async -> [CampaignEnd] {
        var ends: [CampaignEnd] = []
        for obstacle in obstacles where await memory.isNews(obstacle.trouble) {
            if let campaign = obstacle.campaign { call.watch.expect([campaign]) }
            ends.append(say(obstacle))
        }
        return ends
    }

    private func say(_ obstacle: DueObstacle) -> CampaignEnd {
        guard !obstacle.findings.isEmpty else { return call.failed(obstacle.error) }
        do {
            try FindingsOutput(invocation: call.settings.invocation, format: .text)
                .complain(obstacle.findings.sorted())
        } catch {
            return call.failed(error)
        }
        let what = obstacle.campaign.map { "Campaign \($0)" } ?? "The campaign"
        Console.complain(
            "hubsend: \(FindingsOutput.tally(obstacle.findings)). \(what) will not be sent until this is fixed."
        )
        return .failed(obstacle.error)
    }
}
