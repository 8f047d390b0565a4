import CampaignCore
import Delivery
import FoundationEssentials
import SQLiteDriver
import Storage
import TestSupport
import Testing

@Suite(.bounded) struct DueWorkTests {
    /// 2027-01-15T08:00:00Z.
    private static let start = TestBench.start
    private static let deadline = 3_600.0

    private let folder: TemporaryFolder
    private let store: SQLiteStore

    init() throws {
        folder = try TemporaryFolder()
        store = try SQLiteStore.open(at: folder.file("store.sqlite"))
    }

    /// What is due for a campaign that starts at half past every hour.
    private func due(_ seconds: Double, cron: String = "30 * * * *") async throws -> DueWork {
        let schedule = Schedule(
            .cron(try CronSchedule(cron)), in: .utc, startDeadline: .seconds(Self.deadline))
        return try await DueWork(
            of: try TestBench.campaign(schedule: schedule), at: TestBench.hub, in: store,
            now: Self.start + seconds)
    }

    @discardableResult
    private func leave(
        _ suffix: String, _ occurrence: Occurrence, _ state: RunState, _ pause: RunPause? = nil,
        started: Double = 0, isRehearsal: Bool = false
    ) async throws -> RunRecord {
        let run = RunRecord(
            id: RunID(checked: "20270115T080000Z-\(suffix)"), campaign: "spring",
            hub: TestBench.hub, occurrence: occurrence, isRehearsal: isRehearsal, state: state,
            reason: pause.map { _ in "why" }, pause: pause, kind: .secure, platforms: [.apns],
            isMessagePrivate: true, campaignPath: "/campaigns/spring.yaml",
            delivery: DeliveryPolicy(), fingerprints: [:], started: Self.start + started,
            expires: Self.start + 604_800)
        try await store.begin(run)
        return run
    }

    private func occurrence(_ seconds: Double) -> Occurrence {
        .scheduled(Self.start + seconds)
    }

    @Test("Starts before the first call are not caught up")
    func startsBeforeTheFirstCallAreNotCaughtUp() async throws {
        #expect(try await due(-60).steps.isEmpty)
        #expect(try await due(0).steps.isEmpty)
        #expect(try await due(1_799).steps.isEmpty)
        #expect(try await due(1_800.5).steps == [.begin(occurrence(1_800))])
    }

    @Test("A start in the minute of the first call is due")
    func startInTheMinuteOfTheFirstCallIsDue() async throws {
        #expect(try await due(1_859).steps == [.begin(occurrence(1_800))])
    }

    /// What is due for a campaign that starts once, at half past eight.
    private func dueOnce(_ seconds: Double, hub: HubIdentity = TestBench.hub) async throws
        -> DueWork
    {
        let schedule = Schedule(
            .at(try #require(LocalTime("2027-01-15T08:30"))), in: .utc,
            startDeadline: .seconds(Self.deadline))
        return try await DueWork(
            of: try TestBench.campaign(schedule: schedule), at: hub, in: store,
            now: Self.start + seconds)
    }

    @Test("A start before the first call is due if the store is older")
    func startBeforeTheFirstCallIsDueIfTheStoreIsOlder() async throws {
        _ = try await store.began(now: Self.start + 1_000)
        let work = try await dueOnce(1_800 + Self.deadline)
        #expect(work.steps == [.begin(occurrence(1_800))])
        #expect(work.missed == nil)
    }

    @Test("An earlier run shows that the store is older than the first `--due`")
    func earlierRunShowsThatTheStoreIsOlderThanTheFirstDue() async throws {
        try await leave("aaaaaa", .once, .finished, started: 1_000)
        #expect(try await store.began(now: Self.start + 5_000) == Self.start + 1_000)
        #expect(try await dueOnce(1_900).steps == [.begin(occurrence(1_800))])
    }

    @Test(
        "A start before the store existed is reported as missed"
    )
    func startBeforeTheStoreExistedIsReportedAsMissed() async throws {
        let missed = try await dueOnce(1_865)
        #expect(missed.steps.isEmpty)
        #expect(missed.missed?.start == Self.start + 1_800)
        #expect(missed.missed?.sentThrough == nil)
        // The start remains missed and is not sent later.
        #expect(try await dueOnce(1_920).missed != nil)
        #expect(try await dueOnce(1_801 + Self.deadline).missed == nil)
    }

    @Test("With a new store, a start in the same minute is sent")
    func withANewStoreAStartInTheSameMinuteIsSent() async throws {
        #expect(try await dueOnce(1_825).steps == [.begin(occurrence(1_800))])
        #expect(try await dueOnce(1_900).steps == [.begin(occurrence(1_800))])
    }

    @Test(
        "A start moved into the past is not sent if the campaign has been sent since"
    )
    func startMovedIntoThePastIsNotSentIfTheCampaignHasBeenSentSince() async throws {
        _ = try await store.began(now: Self.start)
        try await leave("aaaaaa", occurrence(1_860), .finished, started: 1_860)
        let work = try await dueOnce(2_000)
        #expect(work.steps.isEmpty && work.missed == nil)
    }

    @Test("A start whose staging was killed is continued")
    func startWhoseStagingWasKilledIsContinued() async throws {
        _ = try await store.began(now: Self.start)
        let run = try await leave("aaaaaa", occurrence(1_800), .staging, started: 1_850)
        #expect(try await dueOnce(2_000).steps == [.proceed(run)])
    }

    @Test("A start that failed because the hub was missing is repeated at the right hub")
    func startThatFailedBecauseTheHubWasMissingIsRepeatedAtTheRight() async throws {
        _ = try await store.began(now: Self.start)
        try await leave("aaaaaa", occurrence(1_800), .paused, .missingHub, started: 1_850)
        let work = try await dueOnce(2_000, hub: HubIdentity(host: "other.example", name: "main"))
        #expect(work.steps == [.begin(occurrence(1_800))])
    }

    @Test("A start that was sent through another hub is reported but not sent again")
    func startThatWasSentThroughAnotherHubIsReportedButNotSentAgain() async throws {
        _ = try await store.began(now: Self.start)
        try await leave("aaaaaa", occurrence(1_800), .finished, started: 1_700)
        let work = try await dueOnce(2_000, hub: HubIdentity(host: "other.example", name: "main"))
        #expect(work.steps.isEmpty)
        #expect(work.missed?.sentThrough == TestBench.hub)
    }

    @Test("A start that was sent early is not sent again")
    func startThatWasSentEarlyIsNotSentAgain() async throws {
        try await leave("aaaaaa", occurrence(1_800), .finished, started: 100)
        #expect(try await dueOnce(200).nextStart == nil)
        #expect(try await dueOnce(1_800).steps.isEmpty)
        #expect(try await dueOnce(1_800).missed == nil)
    }

    @Test("Only the newest missed start is caught up, within its deadline")
    func onlyTheNewestMissedStartIsCaughtUpWithinItsDeadline() async throws {
        _ = try await due(0)
        // The starts at half past eight and nine are not caught up, but the last start is.
        #expect(try await due(2 * 3_600 + 1_900).steps == [.begin(occurrence(2 * 3_600 + 1_800))])
        let daily = "30 8 * * *"
        _ = try await due(1_000, cron: daily)
        #expect(
            try await due(1_800 + Self.deadline, cron: daily).steps == [.begin(occurrence(1_800))])
        #expect(try await due(1_801 + Self.deadline, cron: daily).steps.isEmpty)
    }

    @Test("After a schedule changes, no start from before the change is caught up")
    func afterAScheduleChangesNoStartFromBeforeTheChangeIsCaughtUp() async throws {
        _ = try await due(0)
        #expect(try await due(2_400, cron: "20,35 * * * *").steps.isEmpty)
        #expect(try await due(4_800, cron: "20,35 * * * *").steps == [.begin(occurrence(4_800))])
    }

    @Test("An occurrence is started once") func occurrenceIsStartedOnce() async throws {
        _ = try await due(0)
        try await leave("aaaaaa", occurrence(1_800), .finished)
        #expect(try await due(1_860).steps.isEmpty)
        #expect(try await due(5_400).steps == [.begin(occurrence(5_400))])
    }

    @Test("Interrupted runs continue before new runs start")
    func interruptedRunsContinueBeforeNewRunsStart() async throws {
        _ = try await due(0)
        let crashed = try await leave("aaaaaa", occurrence(1_800), .running)
        let away = try await leave("bbbbbb", .once, .paused, .passing, started: 1)
        try await leave(
            "cccccc", .rehearsal(RunID(checked: "20270115T080000Z-cccccc")), .paused,
            .person, isRehearsal: true)
        let work = try await due(5_400)
        #expect(work.steps == [.proceed(crashed), .proceed(away), .begin(occurrence(5_400))])
        #expect(work.waiting.isEmpty)
        #expect(work.unfinished == [away, crashed])
    }

    @Test(
        "A run that waits for a person prevents new starts",
        arguments: [(.stopped, nil), (.paused, .person), (.paused, nil)]
            as [(RunState, RunPause?)])
    func runThatWaitsForAPersonPreventsNewStarts(
        _ state: RunState, _ pause: RunPause?
    ) async throws {
        _ = try await due(0)
        let run = try await leave("aaaaaa", occurrence(1_800), state, pause)
        let crashed = try await leave("bbbbbb", .once, .running, started: 1)
        let work = try await due(5_400)
        #expect(work.steps == [.proceed(crashed)])
        #expect(work.waiting == [run])
    }

    @Test("A run is due again at its next wave") func runIsDueAgainAtItsNextWave() async throws {
        let run = try await leave("aaaaaa", .once, .running)
        try await store.setWaiting(run.id, until: Self.start + 3_600, at: Self.start)
        #expect(try await due(3_599).steps.isEmpty)
        #expect(try await due(3_600).steps.map(\.subject) == [.once])
        #expect(try await due(3_599).waiting.isEmpty)
    }

    /// Nothing was sent for it, so it is a missed start.
    @Test("An unstaged run continues as long as its start is due")
    func unstagedRunContinuesAsLongAsItsStartIsDue() async throws {
        _ = try await due(0)
        let run = try await leave("aaaaaa", occurrence(1_800), .staging)
        #expect(try await due(1_860).steps == [.proceed(run)])
        #expect(try await due(5_460).steps == [.begin(occurrence(5_400))])
    }

    @Test("Unstaged follow-up runs and fallbacks are not continued by --due")
    func unstagedFollowUpRunsAndFallbacksAreNotContinuedByDue() async throws {
        let id = RunID(checked: "20270115T080000Z-aaaaaa")
        try await leave("aaaaaa", .followUp(id), .staging)
        try await leave("bbbbbb", .fallback(of: id, number: 1), .staging)
        let again = try await leave("cccccc", .again(id), .staging)
        #expect(try await due(0).steps == [.proceed(again)])
    }

    @Test("An unstaged fallback ends when its run's payload expires")
    func unstagedFallbackEndsWhenItsRunsPayloadExpires() async throws {
        let id = RunID(checked: "20270115T080000Z-aaaaaa")
        let fallback = try await leave("bbbbbb", .fallback(of: id, number: 1), .staging)
        let followUp = try await leave("cccccc", .followUp(id), .staging, started: 1)
        #expect(try await due(604_799).expired.isEmpty)
        let work = try await due(604_800)
        #expect(work.expired == [fallback])
        let lock = TestLock()
        let held = try #require(lock.acquire(campaign: "spring"))
        try await work.endExpired(in: store, lock: lock, at: Self.start + 604_800)
        #expect(try await due(604_800).expired == [fallback], "somebody works on it")
        held.release()
        try await work.endExpired(in: store, lock: lock, at: Self.start + 604_800)
        #expect(try await store.run(fallback.id)?.state == .finished)
        let left = try await due(604_800)
        #expect(left.expired.isEmpty && left.unfinished == [followUp])
    }

    @Test("A schedule with `at` determines the default occurrence")
    func scheduleWithAtDeterminesTheDefaultOccurrence() throws {
        let moment = try #require(LocalTime("2027-01-15T09:30"))
        let campaign = try TestBench.campaign(schedule: Schedule(.at(moment), in: .utc))
        let own = Occurrence.scheduled(Self.start + 5_400)
        #expect(own.text == "2027-01-15T09:30:00Z" && own.scheduled != nil)
        #expect(campaign.ownOccurrence == own)
        let request = RunRequest(
            campaign: campaign, hub: TestBench.hub, campaignPath: "/campaigns/spring.yaml")
        #expect(request.mode == .occurrence(own))
        let named = try #require(Occurrence(key: "again"))
        #expect(RunRequest.Mode.occurrence(named).meant(by: campaign) == .occurrence(named))
        #expect(named.scheduled == nil && Occurrence.once.scheduled == nil)
    }

    @Test("Without a fixed date, a manual run has the occurrence `once`")
    func withoutAFixedDateAManualRunHasTheOccurrenceOnce() throws {
        let cron = Schedule(.cron(try CronSchedule("30 * * * *")), in: .utc)
        #expect(try TestBench.campaign(schedule: cron).ownOccurrence == .once)
        #expect(try TestBench.campaign().ownOccurrence == .once)
    }
}
