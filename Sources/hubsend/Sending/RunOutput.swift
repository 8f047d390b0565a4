import CampaignCore
import CampaignFormat
import Delivery
import Reports

/// What a run says, and on which stream (contract, section 10).
///
/// From cron it is silent on success and says full sentences on stderr otherwise; on a terminal it draws a bar and a
/// summary; with `--json` it prints one object on stdout.
struct RunOutput: Sendable {
    let settings: Settings
    let isJSON: Bool
    let isQuiet: Bool

    private var isChatty: Bool { !isQuiet && !isJSON && settings.invocation.isErrorTerminal }

    func progressBar() -> ProgressBar {
        ProgressBar(isShown: isChatty && settings.invocation["TERM"] != "dumb")
    }

    /// A command line that goes on with a run.
    func command(_ name: String, _ run: RunID) -> String {
        (["hubsend", name, run.text] + settings.repeatedOptions.map(ShellWord.quoted)).joined(
            separator: " ")
    }

    /// Prints why campaigns are refused; stdout is kept for the objects when there are to be any.
    func refuse(_ findings: [Diagnostic]) throws {
        let text = try FindingsOutput(invocation: settings.invocation, format: .text).text(findings)
        if isJSON { Console.notice(text) } else { try Console.output(text) }
        Console.complain("hubsend: \(FindingsOutput.tally(findings)); nothing was sent.")
    }

    /// Runs a piece of work and says on stderr what kept it from being done.
    func reporting(_ work: () async throws -> ExitStatus) async -> ExitStatus {
        do {
            return try await work()
        } catch let end as CommandEnd {
            return end.status
        } catch {
            let failure = FailureTranslation.failure(for: error)
            Console.complain("hubsend: \(failure.message)")
            return failure.status
        }
    }

    /// Says how a run ended.
    func conclude(_ summary: Delivery.RunSummary, status: ExitStatus, report: String?) throws {
        let record = summary.record
        let overview = RunOverview(run: record, outcomes: summary.outcomes, report: report)
        if isJSON { try Console.output(RunSummaryJSON(overview).line()) }
        if summary.end == .alreadyFinished {
            if !isQuiet {
                Console.complain(
                    """
                    hubsend: campaign \(record.campaign) was sent before (run \(record.id), occurrence \
                    \(record.occurrence)); nothing was sent. To send it once more: --again
                    """)
            }
            return
        }
        if isChatty {
            let text = RunSummaryText(
                overview, style: settings.invocation.errorStyle, options: settings.repeatedOptions)
            Console.notice(text.text())
        } else if status != .done {
            Console.complain(sentence(summary, report: report))
        }
    }

    /// What a person finds in cron's mail.
    private func sentence(_ summary: Delivery.RunSummary, report: String?) -> String {
        let record = summary.record
        let ended = record.deliveries - summary.outcomes[.notAttempted]
        let counts = Outcome.allCases.filter { summary.outcomes[$0] > 0 }
            .map { "\(summary.outcomes[$0]) \($0.rawValue)" }.joined(separator: ", ")
        let what: String
        var next = ""
        switch summary.end {
        case .finished, .alreadyFinished:
            what = "finished, but not all deliveries were accepted"
        case .stopped:
            what = "stopped after \(ended) of \(record.deliveries) deliveries"
            next = " To continue: \(command("resume", record.id))"
        case .paused(_, let reason):
            what = "paused after \(ended) of \(record.deliveries) deliveries. \(reason)"
            next = " To continue: \(command("resume", record.id))"
        }
        let tail = report.map { " Report: \($0)" } ?? ""
        let stop = what.hasSuffix(".") ? "" : "."
        return
            "hubsend: campaign \(record.campaign), run \(record.id) on hub \(record.hub): \(what)\(stop) Outcomes: \(counts).\(tail)\(next)"
    }
}
