import CampaignCore

/// The output of `hubsend runs show`, the most important first.
struct RunDetailsText: Sendable {
    private let details: RunDetails
    private let summary: RunSummaryText
    private let width: Int?
    private let command: CommandForm

    /// - Parameter width: nil: no line is broken.
    init(
        _ details: RunDetails, style: TextStyle, command: CommandForm = CommandForm(),
        width: Int? = nil
    ) {
        self.details = details
        self.width = width
        self.command = command
        summary = RunSummaryText(details.overview, style: style, command: command, width: width)
    }

    func text() -> String {
        let overview = details.overview
        var parts = [summary.opening]
        if overview.outcomes.total > 0 { parts.append(summary.outcomeLines) }
        if details.platforms.count > 1, overview.outcomes.total > 0 { parts.append(platforms) }
        parts.append(workers)
        parts.append(waves)
        parts.append(funnel)
        parts.append(overview.reasonLines(within: width))
        parts.append(overview.lateness(command).map(summary.wrapped) ?? [])
        parts.append(facts)
        parts.append(summary.advice.map(summary.wrapped) ?? [])
        parts.append(report)
        return parts.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") + "\n" }
            .joined(separator: "\n")
    }

    private var platforms: [String] {
        let outcomes = details.overview.shownOutcomes
        var table = TextTable([.left] + outcomes.map { _ in .right }, indent: 2)
        table.append(["platform"] + outcomes.map(\.rawValue))
        for platform in details.platforms {
            table.append(
                [platform.platform.rawValue]
                    + outcomes.map { Figures.count(platform.outcomes[$0]) })
        }
        return table.lines(within: width)
    }

    /// Processes, and how much of the run was theirs.
    private var workers: [String] {
        guard let workers = details.overview.workers, !workers.isEmpty else { return [] }
        var table = TextTable([.left, .right, .right, .right, .right, .left, .left], indent: 2)
        table.append(
            ["host", "process", "ended", "requests", "rate", "since", "last heard of"])
        for worker in workers {
            let report = worker.report
            table.append([
                VisibleText.escape(worker.process.host), "\(worker.process.number)",
                Figures.count(
                    Outcome.allCases.reduce(0) {
                        $0 + ($1 == .notAttempted ? 0 : report.outcomes[$1])
                    }),
                Figures.count(report.requests),
                report.rate.map { Figures.count(Int($0.rounded())) + "/s" } ?? "",
                UTCTime.readable(worker.joined), UTCTime.readable(worker.seen),
            ])
        }
        return ["Workers:"] + table.lines(within: width)
    }

    private var waves: [String] {
        guard !details.waves.isEmpty else { return [] }
        let outcomes = details.overview.shownOutcomes
        var table = TextTable(
            [.left, .right] + outcomes.map { _ in .right } + [.wrapped], indent: 2)
        table.append(["begins", "people"] + outcomes.map(\.rawValue) + ["time zones"])
        for standing in details.waves {
            let line = WaveLine(standing, in: details.overview.zone)
            table.append(
                [line.opens, line.people]
                    + outcomes.map { Figures.count(line.outcomes[$0]) } + [line.zones])
        }
        return ["Waves:"] + table.lines(within: width)
    }

    private var funnel: [String] {
        var table = TextTable([.left, .right, .left, .wrapped], indent: 2)
        for step in RunFunnel(details).steps {
            table.append([step.name, Figures.count(step.count), step.share, step.note])
        }
        return ["People:"] + table.lines(within: width)
    }

    private var report: [String] {
        let run = details.overview.run
        guard run.state == .finished, run.deliveriesDeleted == nil else { return [] }
        return summary.wrapped("To write its report: \(command(["report", run.id.text]))")
    }

    private var facts: [String] {
        var table = TextTable([.left, .wrapped], indent: 2)
        for fact in RunFacts(details.overview).list { table.append([fact.label, fact.value]) }
        return table.lines(within: width)
    }
}
