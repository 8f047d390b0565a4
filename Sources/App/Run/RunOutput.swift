import CampaignCore
import CampaignFormat
import Delivery
import Foundation
import Storage

/// What a run prints, and on which stream.
///
/// From cron it is silent on success and prints full sentences otherwise. On a terminal it draws a
/// bar and a summary. With `--json` it prints one object on stdout.
struct RunOutput: Sendable {
    private static let mostMentioned = 100

    private let settings: EffectiveSettings
    private let isJSON: Bool
    let bar: ProgressBar
    private let isQuiet: Bool
    private let explain: @Sendable (any Error) -> Void

    /// - Parameter explain: says on stderr what failed with one campaign of several.
    init(
        settings: EffectiveSettings, isJSON: Bool, isQuiet: Bool,
        explain: @escaping @Sendable (any Error) -> Void
    ) {
        self.explain = explain
        self.settings = settings
        self.isJSON = isJSON
        self.isQuiet = isQuiet
        let isTerminal = settings.invocation.isErrorTerminal
        bar = ProgressBar(
            isShown: !isQuiet && !isJSON && isTerminal && settings.invocation["TERM"] != "dumb",
            tellsTrouble: !isQuiet && isTerminal)
    }

    func command(_ words: [String]) -> String { settings.commandForm(words) }

    var isChatty: Bool { !isQuiet && !isJSON && settings.invocation.isErrorTerminal }

    /// Says on a terminal that a signal was received, since requests in flight may take a while.
    func sayStopping() {
        guard isChatty, bar.hasProgress else { return }
        bar.clear()
        Console.complain(
            "Stopping: what is in flight ends and is saved. Ctrl-C again ends at once.")
    }

    /// Says on a terminal that another process works on a campaign and is waited for.
    func sayLocked(_ campaign: String) {
        guard isChatty else { return }
        bar.update(waitingForOtherProcessOn: campaign)
    }

    /// Says on a terminal that other hosts work on a run too.
    func sayJoining(_ campaign: String, _ joining: String) {
        guard isChatty else { return }
        bar.clear()
        Console.complain("\(campaign): \(joining)")
    }

    /// Prints why campaigns are refused; with `--json`, stdout is kept for the objects.
    func refuse(_ findings: [Diagnostic]) throws {
        let output = FindingsOutput(invocation: settings.invocation, format: .text)
        if isJSON {
            try output.complain(findings)
        } else {
            try output.print(findings)
        }
        Console.complain("hubsend: \(FindingsOutput.tally(findings)); nothing was sent.")
    }

    /// Prints on stderr what `validate` warns of in campaigns about to be sent.
    ///
    /// People who use neither `validate` nor `preview` see it only here. Without a terminal only
    /// what is unusual is printed.
    ///
    /// - Parameter isVerbose: whether all is printed even without a terminal.
    func warn(of findings: [Diagnostic], isVerbose: Bool) throws {
        let isWatched = settings.invocation.isErrorTerminal || isVerbose
        let told = isWatched ? findings : findings.filter(\.isUnusual)
        guard !isQuiet, !told.isEmpty else { return }
        try FindingsOutput(invocation: settings.invocation, format: .text).complain(told.sorted())
    }

    /// Says without a terminal how many rows are left out; a terminal sees each as a warning.
    func saySkipped(_ rows: Int, of request: RunRequest) {
        guard rows > 0, !isQuiet, !settings.invocation.isErrorTerminal else { return }
        let left = Figures.count(
            rows, "row of its files has a mistake and is", "rows of its files have mistakes and are"
        )
        Console.complain(
            """
            hubsend: warning: campaign \(request.campaign.name): \(left) left out, as `on_bad_row: skip` says. \
            To list them: \(settings.command("validate", request.campaignPath))
            """)
    }

    /// Also without a terminal: an exclusion that is misspelt once would never hold.
    func warn(of unknownRuns: [PreviewRemark], for campaign: String) {
        for remark in isQuiet ? [] : unknownRuns {
            Console.complain("hubsend: warning: campaign \(campaign): \(remark.phrase.text)")
        }
    }

    /// Runs some work and says on stderr what prevented it.
    func reporting(_ work: () async throws -> [CampaignEnd]) async -> [CampaignEnd] {
        do {
            return try await work()
        } catch {
            return [failed(error)]
        }
    }

    func failed(_ error: any Error) -> CampaignEnd {
        explain(error)
        return .failed(error)
    }

    func refuseStopped(_ id: RunID, in store: any Store) async throws {
        if isJSON { try await describe(id, in: store) }
        Console.complain(
            """
            hubsend: run \(id) was stopped and stays stopped. To continue: \
            \(settings.command("resume", id.text))
            """)
    }

    /// Says that a run, and its campaign's schedule, wait for a person.
    func sayWaiting(_ run: RunRecord) {
        let what =
            run.state == .stopped
            ? "was stopped and stays stopped." : "is paused. \(run.reason ?? "")"
        Console.complain(
            """
            hubsend: campaign \(run.campaign): run \(run.id) (occurrence \(run.occurrence)) \(what) It waits for a \
            person, and until then nothing new of the campaign begins by its schedule. To continue: \
            \(settings.command("resume", run.id.text))
            """)
        Console.complain("To end it for good: \(settings.command("stop", run.id.text, "--final"))")
    }

    /// Says that a run does not continue by itself because its campaign's file is gone.
    func sayLost(_ run: RunRecord) {
        Console.complain(
            """
            hubsend: campaign \(run.campaign): run \(run.id) (occurrence \(run.occurrence)) is not finished and does not go on by \
            itself, since its file \(VisibleText.path(run.campaignPath)) is gone. Put the file back, or continue the run: \
            \(settings.command("resume", run.id.text))
            """)
        Console.complain("To end it for good: \(settings.command("stop", run.id.text, "--final"))")
    }

    /// Says that a start is skipped because it may have been sent already.
    func sayMissed(_ missed: DueWork.Missed, of campaign: Campaign, in path: String) {
        guard let schedule = campaign.schedule else { return }
        let start = CampaignSchedule.words(missed.start, of: schedule, now: missed.start)
        let why =
            missed.sentThrough.map { "and a run of it was begun then, through the hub \($0)" }
            ?? "which is before this store was made, so the store does not know whether it was sent then"
        let introduction =
            missed.sentThrough == nil
            ? "To send it now:" : "If nobody has got it, or to send it once more:"
        Console.complain(
            """
            hubsend: campaign \(campaign.name) was not sent. It was scheduled for \(start), \(why). \(introduction) \
            \(settings.command("run", settings.invocation.absolute(path)))
            """)
    }

    /// Says that a store was made.
    ///
    /// - Parameter time: since when schedules count; nil: a person names what is sent.
    func sayNew(_ place: StorePlace, at time: Date?) {
        guard !isQuiet else { return }
        let what =
            if let time {
                """
                Schedules count from \(UTCTime.readable(time.startOfMinute)) on; earlier starts are not made up for.
                """
            } else {
                "It does not know what was sent before."
            }
        Console.complain(
            """
            hubsend: the \(place) is new. \(what) If this is said again and again, the store does not last: keep \
            it on a volume.
            """)
    }

    /// Says that a campaign is not sent again while a run is unfinished.
    func refuseAgain(_ id: RunID, left: Int, in store: any Store) async throws {
        if isJSON { try await describe(id, in: store) }
        guard let run = try await store.run(id) else { return }
        let state = await run.standing(in: store).state
        let pushes = Figures.count(left, "push", "pushes")
        Console.complain(
            """
            hubsend: campaign \(run.campaign): run \(id) (occurrence \(run.occurrence)) is \(state.rawValue) \
            with \(pushes) to go, so nothing was sent: people would get it twice. To continue it: \
            \(settings.command("resume", id.text))
            """)
        Console.complain(
            "To end it for good, before you give --again: \(settings.command("stop", id.text, "--final"))"
        )
    }

    /// Names unfinished runs of a campaign that was found finished.
    func mentionUnfinished(beside summary: RunSummary, in store: any Store) async throws {
        guard summary.result == .alreadyFinished, !isQuiet else { return }
        let record = summary.record
        let runs = try await store.unfinished(campaign: record.campaign, at: record.hub)
        for known in runs.prefix(Self.mostMentioned) {
            let run = await known.standing(in: store)
            guard [.paused, .stopped].contains(run.state) else { continue }
            Console.complain(
                """
                hubsend: run \(run.id) (occurrence \(run.occurrence)) of campaign \(run.campaign) is \
                \(run.state.rawValue). To continue: \(settings.command("resume", run.id.text))
                """)
        }
    }

    /// Says that a campaign may lack its files only because its run goes to another hub.
    func mentionElsewhere(_ request: RunRequest, in store: any Store) async throws {
        let sentence = try await Self.elsewhere(
            request.campaign.name, otherThan: request.hub, in: store)
        if let sentence { Console.complain("hubsend: \(sentence)") }
    }

    /// Describes the newest unfinished run of a campaign at another hub, if there is one.
    static func elsewhere(
        _ campaign: String, otherThan hub: HubIdentity, in store: any Store
    ) async throws -> String? {
        let runs = try await store.runs(.unfinished(of: campaign))
        return runs.first { $0.hub != hub && !$0.isRehearsal }.map { run in
            """
            run \(run.id) of campaign \(campaign) goes to the hub \(run.hub), and the settings here name \(hub). To take \
            part in that run, correct the settings; another one, at this hub, needs the campaign's files.
            """
        }
    }

    /// Says how a run ended.
    ///
    /// - Parameters:
    ///   - origin: the other file that a finished run was begun from, if any.
    ///   - isTold: whether a person is told; if not, only the object is printed.
    func conclude(
        _ summary: RunSummary, _ overview: RunOverview, end: CampaignEnd, plan: PlanID?,
        origin: String?, isTold: Bool = true
    ) throws {
        let record = summary.record
        if isJSON { try Console.output(RunSummaryJSON(overview).line()) }
        if summary.result == .alreadyFinished {
            // Another process sent the fallback at the same time, to the same people.
            if record.occurrence.fallbackOf != nil { return }
            let isWatched = settings.invocation.isErrorTerminal && !isQuiet
            let isOtherPlan = plan != nil && plan != record.plan
            let isOdd =
                !summary.changed.isEmpty || record.revoked != nil || isOtherPlan
            if isWatched || !end.isDone || isOdd {
                Console.complain(sentBefore(summary, overview, end, plan: plan, origin: origin))
            }
            return
        }
        guard isTold else { return }
        if isChatty, !summary.isLeft {
            let style = settings.invocation.errorStyle
            let text = RunSummaryText(
                overview, style: style, command: settings.commandForm,
                width: Console.errorColumns)
            Console.notice(text.text(), style: style)
        } else if !end.isDone {
            Console.complain(sentence(summary, overview))
        }
    }

    /// Says that a campaign was sent before, what went wrong, and how to send it anyway.
    private func sentBefore(
        _ summary: RunSummary, _ overview: RunOverview, _ end: CampaignEnd,
        plan: PlanID?, origin: String?
    ) -> String {
        let record = summary.record
        if let origin {
            return """
                hubsend: a campaign with the name \(record.campaign) was sent before from \(VisibleText.path(origin)) \
                (run \(record.id), occurrence \(record.occurrence)), so this file was not sent. Give it a name of its own (`campaign`).
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
            let begun = record.plan.map { "by the plan \($0)" } ?? "without a plan"
            text += " The plan \(plan) was not sent, since that run was begun \(begun)."
        }
        if end.isStopped { text += " `hubsend stop` ended it for good." }
        if !end.isDone { text += " Outcomes: \(Self.counts(summary.outcomes))." }
        if let revoked = record.revoked {
            text +=
                " Its payloads were taken back on \(UTCTime.readable(revoked)); nobody can fetch them."
        }
        if let lateness = overview.lateness(settings.commandForm) { return text + " \(lateness)" }
        if plan != nil { text += " One more sending takes a plan that was saved for it." }
        return text + " \(overview.repetition(settings.commandForm))"
    }

    /// Says on a terminal how many people have no device, or how to find out.
    ///
    /// - Parameter without: nil: not known, since accepted pushes do not tell.
    func sayDevices(without: Int?, of record: RunRecord) {
        guard isChatty else { return }
        guard let without else {
            Console.complain(
                """
                The hub accepts pushes to people without a device too. To find out how many those are: \
                \(settings.command("preview", record.campaignPath, "--reach"))
                """)
            return
        }
        guard without > 0 else { return }
        let people = without == 1 ? "1 person has" : "\(Figures.count(without)) people have"
        Console.complain(
            "\(people) no device on the campaign's platforms, so nothing reaches them.")
    }

    private static func counts(_ outcomes: OutcomeCounts) -> String {
        Outcome.allCases.filter { outcomes[$0] > 0 }
            .map { "\(Figures.count(outcomes[$0])) \($0.rawValue.replacing("_", with: " "))" }
            .joined(separator: ", ")
    }

    /// Says that nobody is left of an earlier run, so nothing is sent.
    func sayNobodyIsLeft(of rest: RestOfRun, in store: any Store) async throws {
        if isJSON { try await describe(rest.run, in: store) }
        guard settings.invocation.isErrorTerminal, !isQuiet else { return }
        let outcomes = Outcome.allCases.filter(rest.outcomes.contains).map(\.rawValue)
        Console.complain(
            """
            hubsend: nobody of the audience has a delivery in run \(rest.run) that ended as \
            \(outcomes.joined(separator: ", ")); nothing was sent.
            """)
    }

    private func describe(_ id: RunID, in store: any Store) async throws {
        guard let record = try await store.run(id) else { return }
        let overview = RunOverview(
            run: record, outcomes: try await store.outcomes(id), reach: try await store.reach(id))
        try Console.output(RunSummaryJSON(overview).line())
    }

    /// The sentence for cron's mail.
    func sentence(_ summary: RunSummary, _ overview: RunOverview) -> String {
        let record = summary.record
        let ended = Figures.count(record.deliveries - summary.outcomes[.notAttempted])
        let deliveries = Figures.count(record.deliveries, "delivery", "deliveries")
        let counts = Self.counts(summary.outcomes)
        let late = overview.lateness(settings.commandForm).map { " \($0)" } ?? ""
        let what: String
        var next = ""
        switch summary.result {
        case .finished, .alreadyFinished:
            what = "finished, but not all deliveries were accepted"
            next = overview.sendingAgain(settings.commandForm).map { " \($0)" } ?? ""
        case .waiting(let resumption):
            what = "waiting until \(UTCTime.readable(resumption)) after \(ended) of \(deliveries)"
        case .stopped:
            what = "stopped after \(ended) of \(deliveries)"
            next = " To continue: \(settings.command("resume", record.id.text))"
        case .ended:
            what =
                "ended for good by hubsend stop after \(ended) of \(deliveries)"
        case .left(_, let reason, let others):
            let who =
                others > 1
                ? "\(Figures.count(others)) other processes go" : "another process goes"
            what = "left after \(ended) of \(deliveries), and \(who) on with it. \(reason)"
            next =
                " When it has ended, write its report with: \(settings.command("report", record.id.text))"
        case .paused(_, let reason):
            what = "paused after \(ended) of \(deliveries). \(reason)"
            let continuation = RunContinuation(of: record, summary.outcomes)
            next = " \(continuation.sentence(settings.commandForm))"
        }
        let why = overview.mainReason.map { " \($0)" } ?? ""
        let tail = overview.report.map { " Report: \($0)" } ?? ""
        let stop = what.hasSuffix(".") ? "" : "."
        let run = record.occurrence.fallbackOf == nil ? "run" : "fallback"
        return
            "hubsend: campaign \(record.campaign), \(run) \(record.id) on hub \(record.hub): \(what)\(stop) Outcomes: \(counts).\(why)\(tail)\(next)\(late)"
    }
}

extension RunSummary {
    /// Whether others continue the run.
    fileprivate var isLeft: Bool {
        if case .left = result { true } else { false }
    }
}
