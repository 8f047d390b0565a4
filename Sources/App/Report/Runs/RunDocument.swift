import CampaignCore
import FoundationEssentials

/// A run as a document: a summary, or everything that is known about it.
struct RunDocument {
    typealias Block = Document.Block

    let overview: RunOverview
    var command = CommandForm()
    private var run: RunRecord { overview.run }

    /// The summary that `hubsend run` and `hubsend report --format text` print: about fifteen
    /// lines, most important first.
    func summary() -> Document {
        Document(
            blocks: [opening] + outcomes + reasons + lateness
                + [.facts(RunFacts(overview: overview).summary)] + next)
    }

    /// The output of `hubsend runs show`, most important first.
    func whole(_ details: RunDetails) -> Document {
        var funnel = Document.Table(headless: .left, .right, .left, .wrapped)
        for step in RunFunnel(details).steps {
            funnel.append(words: [step.name, Figures.count(step.count), step.share, step.note])
        }
        let isReported = run.state == .finished && run.deliveriesDeleted == nil
        let report = "To write its report: \(command(["report", run.id.text]))"
        return Document(
            blocks: [opening] + outcomes + platforms(details) + workers + waves(details)
                + [.section("People", [.table(funnel)])] + reasons + lateness
                + [.facts(RunFacts(overview: overview).list)] + next
                + (isReported ? [.paragraph(Phrase(report))] : []))
    }

    private var opening: Block {
        let headline = RunHeadline(overview)
        let first: Phrase =
            "\(run.campaign, .bold): \(headline.state, headline.emphasis)\(headline.progress)"
        return .group(
            [.paragraph(first)] + (headline.pause.map { [.paragraph(Phrase($0))] } ?? []))
    }

    private var outcomes: [Block] {
        guard overview.outcomes.total > 0 else { return [] }
        var table = Document.Table(headless: .left, .right, .right, .wrapped)
        for outcome in overview.shownOutcomes {
            let count = overview.outcomes[outcome]
            table.append(
                words: [
                    outcome.rawValue, Figures.count(count),
                    Figures.share(count, of: overview.outcomes.total),
                    overview.meaning(of: outcome),
                ], emphasis(of: outcome))
        }
        return [.table(table)]
    }

    private func emphasis(of outcome: Outcome) -> TextStyle.Emphasis? {
        switch outcome.facts.kind {
        case .success: nil
        case .failure: .red
        case .omission: overview.outcomes.late > 0 ? .red : .yellow
        case .open: .yellow
        }
    }

    private var lateness: [Block] {
        overview.lateness(command).map { [.paragraph(Phrase($0))] } ?? []
    }

    private var next: [Block] { advice.map { [.paragraph(Phrase($0))] } ?? [] }

    /// A sentence with the next command; nil if there is nothing to do.
    var advice: String? {
        switch run.state {
        case .finished: overview.sendingAgain(command)
        case .waiting:
            "`hubsend run --due` continues it when the next wave is due. To continue it now: \(command(["resume", run.id.text]))"
        case .paused, .stopped:
            RunContinuation(of: run, overview.outcomes).sentence(command)
        // A process is working on the run.
        case .running where !(overview.workers ?? []).isEmpty: nil
        case .staging, .running:
            "If no process is sending it any more: \(command(["resume", run.id.text]))"
        }
    }

    // MARK: Shared by texts and pages

    /// Why deliveries failed, with an example person for each reason.
    var reasons: [Block] {
        guard !overview.reasons.isEmpty else { return [] }
        var table = Document.Table(
            columns: [
                .init(head: "pushes", text: .right, kind: .number),
                .init(head: "outcome", kind: .word), .init(head: "example", kind: .word),
                .init(head: "reason", text: .wrapped, kind: .why),
            ], hasHeads: false, hasRowHeads: false)
        for reason in overview.reasons {
            let mark = #"<span class="mark \#(reason.outcome.rawValue)" aria-hidden="true"></span>"#
            table.append([
                Phrase(Figures.count(reason.count)),
                "\(markup: mark)\(reason.outcome.rawValue)",
                Phrase(reason.example.map { "such as \($0)" } ?? ""),
                Phrase(RunOverview.words(reason)),
            ])
        }
        let left = overview.outcomes.failures - overview.reasons.reduce(0) { $0 + $1.count }
        let place = run.deliveriesDeleted == nil ? "; the report lists them" : ""
        let rest: [Block] =
            left > 0 ? [.lines(["\(Figures.count(left)) more for other reasons\(place)"])] : []
        return [
            .section(
                "Reasons, most frequent first", name: "reasons", [.table(table)] + rest)
        ]
    }

    private var outcomeColumns: [Document.Table.Column] {
        overview.shownOutcomes.map { .init(head: $0.rawValue, text: .right, kind: .number) }
    }

    private func cells(_ outcomes: OutcomeCounts) -> [Phrase] {
        overview.shownOutcomes.map { Phrase(Figures.count(outcomes[$0])) }
    }

    func platforms(_ details: RunDetails, onPage isOnPage: Bool = false) -> [Block] {
        guard details.platforms.count > 1 || isOnPage, overview.outcomes.total > 0 else {
            return []
        }
        var table = Document.Table(
            columns: [.init(head: "platform")] + outcomeColumns + [
                .init(head: "pushes", kind: .number, isOnlyOnPages: true)
            ], label: "Outcomes by platform")
        func append(_ name: String, _ outcomes: OutcomeCounts) {
            table.append([Phrase(name)] + cells(outcomes) + [Phrase(Figures.count(outcomes.total))])
        }
        for platform in details.platforms {
            append(platform.platform.rawValue, platform.outcomes)
        }
        if isOnPage, details.platforms.count > 1 { append("all", overview.outcomes) }
        return [.table(table)]
    }

    /// The waves, with their people and outcomes.
    func waves(_ details: RunDetails) -> [Block] {
        guard !details.waves.isEmpty else { return [] }
        var table = Document.Table(
            columns: [
                .init(head: "begins", kind: .word),
                .init(head: "people", text: .right, kind: .number),
                .init(head: "share of each outcome", kind: .drawn, isOnlyOnPages: true),
            ] + outcomeColumns + [.init(head: "time zones", text: .wrapped, kind: .zones)])
        for standing in details.waves {
            let opens = Date(timeIntervalSince1970: Double(standing.wave.windows.opens))
            let parts = Outcome.allCases.map { ($0, standing.outcomes[$0]) }
            let bar = DrawnBar(parts, of: standing.outcomes.total).svg()
            table.append(
                [
                    Phrase(overview.time(opens)),
                    Phrase(Figures.count(standing.wave.recipients.count)), "\(markup: bar)",
                ] + cells(standing.outcomes) + [.names(standing.wave.zones)])
        }
        return [.section("Waves", name: "waves", [.table(table)])]
    }

    /// The processes that work on the run, and what each process has done.
    private var workers: [Block] {
        guard let workers = overview.workers, !workers.isEmpty else { return [] }
        let columns: [(String, TextTable.Column)] = [
            ("host", .left), ("process", .right), ("pushes", .right), ("requests", .right),
            ("rate", .right), ("since", .left), ("last seen", .left),
        ]
        var table = Document.Table(columns: columns.map { .init(head: $0.0, text: $0.1) })
        for worker in workers {
            let report = worker.report
            table.append(words: [
                VisibleText.escape(worker.process.host), "\(worker.process.number)",
                Figures.count(Outcome.final.reduce(0) { $0 + report.outcomes[$1] }),
                Figures.count(report.requests),
                report.rate.map { Figures.count(Int($0.rounded())) + "/s" } ?? "",
                UTCTime.readable(worker.joined), UTCTime.readable(worker.seen),
            ])
        }
        return [.section("Workers", [.table(table)])]
    }
}
