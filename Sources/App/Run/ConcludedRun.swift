import CampaignCore
import Delivery

/// How a run ended, in words.
struct ConcludedRun {
    let summary: RunSummary
    let overview: RunOverview
    /// The plan that the command named.
    var plan: PlanID?
    /// The other file from which a finished run with this campaign name was started, if any.
    var origin: String?
    /// The campaign's paused and stopped runs, if this run was already finished.
    var unfinished: [RunRecord] = []
    /// Why there is no report, if it could not be written.
    var unwritten: ReportNotWritten?

    private var record: RunRecord { summary.record }

    var end: CampaignEnd {
        origin == nil ? CampaignEnd(summary) : .failed(Refused.sameCampaignTwice)
    }

    /// Whether other processes continue the run.
    var isLeft: Bool { if case .left = summary.result { true } else { false } }

    /// Whether cron should mail the result.
    var isWorthMail: Bool {
        let isAsBefore =
            summary.changed.isEmpty && record.revoked == nil && (plan ?? record.plan) == record.plan
        return !end.isDone || summary.result == .alreadyFinished && !isAsBefore
    }

    /// Sentences about what happened, why, and what to do next.
    func sentence(_ command: CommandForm) -> String {
        summary.result == .alreadyFinished ? sentBefore(command) : ended(command)
    }

    /// Says that a campaign was already sent, what went wrong, and how to send it anyway.
    private func sentBefore(_ command: CommandForm) -> String {
        if let origin {
            return """
                hubsend: a campaign with the name \(record.campaign) was sent before from \
                \(VisibleText.path(origin)) (run \(record.id), occurrence \(record.occurrence)), \
                so this file was not sent. Change the name after `campaign:` in the file.
                """
        }
        let changed =
            summary.changed.isEmpty
            ? ""
            : ", although its file has changed since (\(summary.changed.joined(separator: ", ")))"
        var text =
            "hubsend: campaign \(record.campaign) was sent before (run \(record.id), occurrence "
            + "\(record.occurrence)) and is not sent again\(changed)."
        if let plan, plan != record.plan {
            let begun = record.plan.map { "with plan \($0)" } ?? "without a plan"
            text += " Plan \(plan) was not sent, because that run was started \(begun)."
        }
        if end.isStopped { text += " `hubsend stop` ended it for good." }
        if !end.isDone { text += " Outcomes: \(counts)." }
        if let revoked = record.revoked {
            text +=
                " Its payloads were revoked on \(UTCTime.readable(revoked)); nobody can fetch them."
        }
        if let lateness = overview.lateness(command) { return text + " \(lateness)" }
        if plan != nil { text += " To send it again, save a new plan with --again." }
        return text + " \(overview.repetition(command))"
    }

    private func ended(_ command: CommandForm) -> String {
        let ended = Figures.count(overview.ended)
        let deliveries = Figures.count(record.deliveries, "delivery", "deliveries")
        let late = overview.lateness(command).map { " \($0)" } ?? ""
        let what: String
        var next = ""
        switch summary.result {
        case .finished, .alreadyFinished:
            what = "finished, but not all deliveries were accepted"
            next = overview.sendingAgain(command).map { " \($0)" } ?? ""
        case .waiting(let resumption):
            what = "waiting until \(UTCTime.readable(resumption)) after \(ended) of \(deliveries)"
        case .stopped:
            what = "stopped after \(ended) of \(deliveries)"
            next = " To continue: \(command(["resume", record.id.text]))"
        case .ended:
            what = "ended for good by hubsend stop after \(ended) of \(deliveries)"
        case .left(_, let reason, let others):
            let who =
                others > 1
                ? "\(Figures.count(others)) other processes continue"
                : "another process continues"
            what = "left after \(ended) of \(deliveries); \(who) the run. \(reason)"
            next =
                " When it has ended, write its report: \(command(["report", record.id.text]))"
        case .paused(_, let reason):
            what = "paused after \(ended) of \(deliveries). \(reason)"
            next = " \(RunContinuation(of: record, summary.outcomes).sentence(command))"
        }
        let why = overview.mainReason.map { " \($0)" } ?? ""
        let tail = overview.report.map { " Report: \($0)" } ?? ""
        let stop = what.hasSuffix(".") ? "" : "."
        let run = record.occurrence.fallbackOf == nil ? "run" : "fallback"
        return
            "hubsend: campaign \(record.campaign), \(run) \(record.id) on hub \(record.hub): \(what)\(stop) Outcomes: \(counts).\(why)\(tail)\(next)\(late)"
    }

    private var counts: String {
        Outcome.allCases.filter { summary.outcomes[$0] > 0 }
            .map {
                "\(Figures.count(summary.outcomes[$0])) \($0.rawValue.replacing("_", with: " "))"
            }
            .joined(separator: ", ")
    }
}
