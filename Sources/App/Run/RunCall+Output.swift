import CampaignCore
import CampaignFormat
import Delivery
import Foundation
import Logging
import Storage

// What a call prints, and on which stream.
//
// From cron it is silent on success and prints full sentences otherwise. On a terminal it draws a
// bar and a summary. With `--json` it prints one object on stdout.

extension RunCall {
    private var isJSON: Bool { order.isJSON }
    private var isQuiet: Bool { order.isQuiet }
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

    /// Refuses campaigns with errors, and prints why; with `--json`, stdout is for the objects.
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

    /// Prints on stderr what `validate` warns of in campaigns about to be sent.
    ///
    /// People who use neither `validate` nor `preview` see it only here. Without a terminal only
    /// what is unusual is printed.
    func warn(of runs: [PlannedRun]) throws {
        guard !isQuiet else { return }
        // Warnings about a fallback were printed when its campaign was sent.
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

    /// Warns of what is left out of an audience.
    private func warn(of run: PlannedRun) {
        // Also without a terminal: an exclusion that is misspelt once would never hold.
        for remark in run.unknownRuns {
            Console.complain("hubsend: warning: campaign \(run.campaign): \(remark.phrase.text)")
        }
        // A terminal sees each row as a warning.
        guard !settings.invocation.isErrorTerminal, let path = run.request?.campaignPath,
            let rows = run.audience?.plan.skippedRows, rows > 0
        else { return }
        let left = Figures.count(
            rows, "row of its files has a mistake and is", "rows of its files have mistakes and are"
        )
        Console.complain(
            """
            hubsend: warning: campaign \(run.campaign): \(left) left out, as `on_bad_row: skip` says. \
            To list them: \(settings.command("validate", path))
            """)
    }

    /// Says on stderr what failed with one campaign of several.
    func failed(_ error: any Error) -> CampaignEnd {
        order.explain(error)
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
        complain(
            of: run,
            """
            \(what) It waits for a person, and until then nothing new of the campaign begins by its schedule. To \
            continue:
            """)
    }

    /// Says that a run does not continue by itself because its campaign's file is gone.
    func sayLost(_ run: RunRecord) {
        complain(
            of: run,
            """
            is not finished and does not go on by itself, since its file \(VisibleText.path(run.campaignPath)) is gone. \
            Put the file back, or continue the run:
            """)
    }

    /// Says what a run waits for, how to continue it, and how to end it.
    private func complain(of run: RunRecord, _ what: String, before other: String = "") {
        Console.complain(
            """
            hubsend: campaign \(run.campaign): run \(run.id) (occurrence \(run.occurrence)) \(what) \
            \(settings.command("resume", run.id.text))
            """)
        let end = settings.command("stop", run.id.text, "--final")
        Console.complain("To end it for good\(other): \(end)")
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
        complain(
            of: run,
            """
            is \(state.rawValue) with \(pushes) to go, so nothing was sent: people would get it twice. To continue it:
            """, before: ", before you give --again")
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
    /// - Parameter isNews: whether a person is told; if not, only the object is printed.
    func tell(_ run: ConcludedRun, isNews: Bool = true) throws -> [CampaignEnd] {
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
        // Another process sent the fallback at the same time, to the same people.
        if isRepeated, run.summary.record.occurrence.fallbackOf != nil { return }
        if isChatty, !isRepeated, !run.isLeft {
            let style = settings.invocation.errorStyle
            let document = RunDocument(overview: run.overview, command: settings.commandForm)
            Console.notice(
                document.summary().text(style, width: Console.errorColumns), style: style)
        } else if run.isOdd || isRepeated && settings.invocation.isErrorTerminal && !isQuiet {
            Console.complain(run.sentence(settings.commandForm))
        }
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
        let overview = try await RunOverview(of: record, in: store)
        try Console.output(RunJSON.summary(overview).line())
    }
}
