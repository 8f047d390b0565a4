import CampaignCore
import CampaignFormat
import Delivery
import Foundation
import Logging
import Storage

// The output of a command on stdout and stderr.
//
// When cron runs the command, it prints nothing on success and full sentences otherwise. On a
// terminal, it shows a progress bar and a summary. With `--json`, it prints one object per campaign
// on stdout.

extension RunCall {
    private var isJSON: Bool { options.isJSON }
    private var isQuiet: Bool { options.isQuiet }
    var isChatty: Bool { !isQuiet && !isJSON && settings.invocation.isErrorTerminal }

    /// Confirms a signal on a terminal, because requests in flight may take a while.
    func sayStopping() {
        guard isChatty, bar.hasProgress else { return }
        bar.clear()
        Console.complain(
            "Stopping after the pushes in flight; everything is saved. Press Ctrl-C again to quit immediately."
        )
    }

    /// Says on a terminal that this process is waiting for another process.
    func sayLocked(_ campaign: String) {
        guard isChatty else { return }
        bar.update(waitingForOtherProcessOn: campaign)
    }

    /// Says on a terminal that this process joins a run.
    func sayJoining(_ campaign: String, _ joining: String) {
        guard isChatty else { return }
        bar.clear()
        Console.complain("\(campaign): \(joining)")
    }

    /// Refuses campaigns with errors and prints the findings, on stderr with `--json`.
    func refuse(_ findings: [Diagnostic]) throws {
        guard findings.hasErrors else { return }
        let findings = findings.sorted()
        let output = FindingsOutput(invocation: settings.invocation, format: .text)
        if isJSON {
            try output.complain(findings)
        } else {
            try output.print(findings)
        }
        Console.complain("hubsend: \(FindingsOutput.tally(findings)); nothing was sent.")
        throw Refused.findingsShown
    }

    /// Prints on stderr the warnings of `validate` about campaigns that are about to be sent.
    ///
    /// The warnings are meant for people who use neither `validate` nor `preview`. Without a
    /// terminal, only unusual findings are printed.
    func warn(of runs: [PlannedRun]) throws {
        guard !isQuiet else { return }
        // The warnings for a fallback were printed when its campaign was sent.
        let told = runs.filter { settings.invocation.canAsk || $0.request?.isFallback != true }
        let isWatched = settings.invocation.isErrorTerminal || logger.logLevel <= .debug
        let findings = (settings.configWarnings + told.flatMap(\.warnings))
            .filter { isWatched || $0.isUnusual }
        if !findings.isEmpty {
            try FindingsOutput(invocation: settings.invocation, format: .text)
                .complain(findings.sorted())
        }
        for run in told { warn(of: run) }
    }

    /// Warns about exclusions without effect and about skipped rows.
    private func warn(of run: PlannedRun) {
        // This is printed even without a terminal, because a misspelt exclusion would never take
        // effect.
        for remark in run.unknownRuns {
            Console.complain("hubsend: warning: campaign \(run.campaign): \(remark.phrase.text)")
        }
        // On a terminal, a separate warning is printed for each row.
        guard !settings.invocation.isErrorTerminal, let path = run.request?.campaignPath,
            let rows = run.audience?.plan.skippedRows, rows > 0
        else { return }
        let left = Figures.count(
            rows, "row of its files has an error and was", "rows of its files have errors and were"
        )
        Console.complain(
            """
            hubsend: warning: campaign \(run.campaign): \(left) skipped (`on_bad_row: skip`). \
            To list them: \(settings.command("validate", path))
            """)
    }

    /// Prints why one campaign of several failed.
    func failed(_ error: any Error) -> CampaignEnd {
        options.explain(error)
        return .failed(error)
    }

    func refuseStopped(_ id: RunID, in store: any Store) async throws {
        if isJSON { try await describe(id, in: store) }
        Console.complain(
            """
            hubsend: run \(id) was stopped and remains stopped. To continue: \(settings.command("resume", id.text))
            """)
    }

    /// Says that a run is waiting for a person, and that it blocks its campaign's schedule until
    /// the person acts.
    func sayWaiting(_ run: RunRecord) {
        let what =
            run.state == .stopped
            ? "was stopped and remains stopped." : "is paused. \(run.reason ?? "")"
        complain(
            of: run,
            """
            \(what) The campaign's schedule does not start a new run until you continue or end this one. To continue:
            """)
    }

    /// Says that a run cannot continue by itself because its campaign file is gone.
    func sayFileIsGone(_ run: RunRecord) {
        complain(
            of: run,
            """
            is not finished and cannot continue by itself, because its file \(VisibleText.path(run.campaignPath)) is gone. \
            Put the file back, or continue the run:
            """)
    }

    /// Says what is wrong with a run, how to continue it, and how to end it.
    private func complain(of run: RunRecord, _ what: String, before other: String = "") {
        Console.complain(
            """
            hubsend: campaign \(run.campaign): run \(run.id) (occurrence \(run.occurrence)) \(what) \
            \(settings.command("resume", run.id.text))
            """)
        let end = settings.command("stop", run.id.text, "--final")
        Console.complain("To end it for good\(other): \(end)")
    }

    /// Says that a scheduled start was skipped because it may already have been sent.
    func sayMissed(_ missed: DueWork.Missed, of campaign: Campaign, in path: String) {
        guard let schedule = campaign.schedule else { return }
        let start = CampaignSchedule.words(missed.start, of: schedule, now: missed.start)
        let why =
            missed.sentThrough.map { "but a run of it was started at that time through hub \($0)" }
            ?? "before this store was created, so the store does not know whether it was sent"
        let introduction =
            missed.sentThrough == nil
            ? "To send it now:" : "If nobody got it, or to send it again:"
        Console.complain(
            """
            hubsend: campaign \(campaign.name) was not sent. It was scheduled for \(start), \(why). \(introduction) \
            \(settings.command("run", settings.invocation.absolute(path)))
            """)
    }

    /// Says that a store was created.
    ///
    /// - Parameter time: the time from which scheduled starts are sent; nil if schedules are not
    ///   used.
    func sayStoreIsNew(_ place: StoreComponent, at time: Date?) {
        guard !isQuiet else { return }
        let what =
            if let time {
                """
                Starts scheduled before \(UTCTime.readable(time.startOfMinute)) are not sent.
                """
            } else {
                "It has no record of what was sent before."
            }
        Console.complain(
            """
            hubsend: the \(place) is new. \(what) If you see this message again, the store is being lost: keep it on a \
            persistent volume.
            """)
    }

    /// Says that a campaign cannot be sent again while it has an unfinished run.
    func refuseAgain(_ id: RunID, left: Int, in store: any Store) async throws {
        if isJSON { try await describe(id, in: store) }
        guard let run = try await store.run(id) else { return }
        let state = await run.withLiveState(in: store).state
        let pushes = Figures.count(left, "push", "pushes")
        complain(
            of: run,
            """
            is \(state.rawValue) with \(pushes) to go, so nothing was sent: people would get it twice. To continue it:
            """, before: ", before you use --again")
    }

    /// Says that files may be missing here because the campaign has a run at another hub.
    func mentionRunAtOtherHub(_ request: RunRequest, in store: any Store) async throws {
        let sentence = try await Self.runAtOtherHub(
            request.campaign.name, otherThan: request.hub, in: store)
        if let sentence { Console.complain("hubsend: \(sentence)") }
    }

    /// Describes the newest unfinished run of a campaign at another hub, if any.
    static func runAtOtherHub(
        _ campaign: String, otherThan hub: HubIdentity, in store: any Store
    ) async throws -> String? {
        let runs = try await store.runs(.unfinished(of: campaign))
        return runs.first { $0.hub != hub && !$0.isRehearsal }.map { run in
            """
            run \(run.id) of campaign \(campaign) goes to the hub \(run.hub), but the settings here name \(hub). To join \
            that run, correct the settings. To start another run at this hub, the campaign's files are needed.
            """
        }
    }

    /// Prints how a run ended.
    ///
    /// - Parameter isNews: whether to print more than the JSON object.
    func announce(_ run: ConcludedRun, isNews: Bool = true) throws -> [CampaignEnd] {
        for other in isQuiet ? [] : run.unfinished {
            Console.complain(
                """
                hubsend: run \(other.id) (occurrence \(other.occurrence)) of campaign \(other.campaign) is \
                \(other.state.rawValue). To continue: \(settings.command("resume", other.id.text))
                """)
        }
        if isJSON { try Console.output(RunJSON.summary(run.overview).line()) }
        if isNews { say(run) }
        return [run.end] + (run.unwritten.map { [failed($0)] } ?? [])
    }

    private func say(_ run: ConcludedRun) {
        let isRepeated = run.summary.result == .alreadyFinished
        // Another process has sent the same fallback in the meantime.
        if isRepeated, run.summary.record.occurrence.fallbackOf != nil { return }
        if isChatty, !isRepeated, !run.isLeft {
            let style = settings.invocation.errorStyle
            let document = RunDocument(overview: run.overview, command: settings.commandForm)
            Console.notice(
                document.summary().text(style, width: Console.errorColumns), style: style)
        } else if run.isWorthMail || isRepeated && settings.invocation.isErrorTerminal && !isQuiet {
            Console.complain(run.sentence(settings.commandForm))
        }
    }

    /// Says on a terminal how many people have no device, or how to find out.
    ///
    /// - Parameter without: the number of people without a device; nil if it is unknown, because
    ///   the hub also accepts pushes to them.
    func sayDevices(without: Int?, of record: RunRecord) {
        guard isChatty else { return }
        guard let without else {
            Console.complain(
                """
                The hub also accepts pushes to people without a device. To find out how many there are: \
                \(settings.command("preview", record.campaignPath, "--reach"))
                """)
            return
        }
        guard without > 0 else { return }
        let people = without == 1 ? "1 person has" : "\(Figures.count(without)) people have"
        Console.complain(
            "\(people) no device on the campaign's platforms, so nothing reaches them.")
    }

    /// Says that a follow-up run has nobody to send to.
    func sayNobodyIsLeft(of followUp: UnreachedPeople, in store: any Store) async throws {
        if isJSON { try await describe(followUp.run, in: store) }
        guard settings.invocation.isErrorTerminal, !isQuiet else { return }
        let outcomes = Outcome.allCases.filter(followUp.outcomes.contains).map(\.rawValue)
        Console.complain(
            """
            hubsend: nobody in the audience has a delivery in run \(followUp.run) that ended as \
            \(outcomes.joined(separator: ", ")); nothing was sent.
            """)
    }

    private func describe(_ id: RunID, in store: any Store) async throws {
        guard let record = try await store.run(id) else { return }
        let overview = try await RunOverview(of: record, in: store)
        try Console.output(RunJSON.summary(overview).line())
    }
}
