import CampaignCore
import FoundationEssentials
import Storage
import TestSupport
import Testing

@testable import Delivery

@Suite(.bounded) struct FallbackTests {
    private static let names = ["alice", "bob", "carol"]
    private let audience = ListedAudience(named: ListedAudience.people(Self.names))

    /// A run in which fcm rejected bob, and which alice has fetched.
    private func sent(_ campaign: Campaign) async throws -> (TestBench, RunRecord) {
        let bench = TestBench { platform, username, _ in
            .now(platform == .fcm && username.text == "bob" ? .rejected : .accepted)
        }
        let run = try await bench.run(campaign, people: audience.named).record
        try await bench.ledger.fetch(["alice"], of: run.id)
        return (bench, run)
    }

    /// The same run at the time when its fallback is due.
    private func whenDue(
        _ campaign: Campaign? = nil
    ) async throws -> (Campaign, TestBench, RunRecord) {
        let campaign = try campaign ?? TestBench.campaignWithFallback()
        let (bench, parent) = try await sent(campaign)
        try await bench.pass(1_900)
        return (campaign, bench, parent)
    }

    /// The same run with a fallback that has paused.
    private func paused() async throws -> (Campaign, TestBench, RunRecord, fallback: RunRecord) {
        let (campaign, bench, parent) = try await whenDue()
        bench.sender.answer { _, _, _ in .now(.stop(.credentials)) }
        let fallback = try #require(try await bench.fallBack(campaign, to: audience).first).record
        #expect(fallback.state == .paused)
        return (campaign, bench, parent, fallback)
    }

    @Test("A fallback goes to people who did not fetch, on platforms that reached them")
    func fallbackGoesToPeopleWhoDidNotFetchOnPlatformsThatReachedThem() async throws {
        let both = try TestBench.campaignWithFallback(platforms: [.apns, .fcm])
        let (campaign, bench, parent) = try await whenDue(both)
        let summaries = try await bench.fallBack(campaign, to: audience)
        let record = try #require(summaries.first).record
        #expect(summaries.count == 1)
        #expect(record.occurrence == .fallback(of: parent.id, number: 1))
        #expect(record.campaign == "spring" && record.kind == .alert)
        #expect(record.state == .finished)
        #expect(record.expires == parent.expires, "there is nothing to open any more afterwards")
        #expect(summaries[0].outcomes == OutcomeCounts([.accepted: 3, .skipped: 1]))
        #expect(
            bench.shown.map { "\($0.username) \($0.platform)" }.sorted()
                == ["bob apns", "carol apns", "carol fcm"])
    }

    @Test("A fallback is sent once, when it is due")
    func fallbackIsSentOnceWhenItIsDue() async throws {
        let campaign = try TestBench.campaignWithFallback()
        let (bench, _) = try await sent(campaign)
        try await bench.pass(1_700)
        #expect(try await bench.fallBack(campaign, to: audience).isEmpty)
        try await bench.pass(200)
        #expect(try await bench.fallBack(campaign, to: audience).count == 1)
        for _ in 1...3 {
            try await bench.pass(3_600)
            #expect(try await bench.fallBack(campaign, to: audience).isEmpty)
        }
        #expect(bench.shown.count == 2)
    }

    @Test("A fallback counts as expected until it is sent or prevented")
    func fallbackCountsAsExpectedUntilItIsSentOrPrevented() async throws {
        let campaign = try TestBench.campaignWithFallback()
        let (bench, parent) = try await sent(campaign)
        func expected(_ campaign: Campaign) async throws -> [RunID] {
            try await DueFallbacks.expected(
                of: campaign, at: TestBench.hub, in: bench.ledger, now: bench.now()
            ).map(\.id)
        }
        #expect(try await expected(campaign) == [parent.id])
        #expect(try await expected(TestBench.campaign()).isEmpty)
        try await bench.pass(1_900)
        #expect(try await expected(campaign) == [parent.id])
        try await bench.fallBack(campaign, to: audience)
        #expect(try await expected(campaign).isEmpty)
        try await bench.pass(2)
        let again = try await bench.run(campaign, people: audience.named, mode: .again).record
        #expect(try await expected(campaign) == [again.id])
        _ = try await bench.stopper.stop(again.id, mode: .revoking)
        #expect(try await expected(campaign).isEmpty)
    }

    @Test("If nobody has fetched, a warning is given and no fallback is sent")
    func ifNobodyHasFetchedAWarningIsGivenAndNoFallbackIsSent() async throws {
        let campaign = try TestBench.campaignWithFallback()
        let bench = TestBench()
        let run = try await bench.run(campaign, people: audience.named).record
        #expect(try await bench.dueFallbacks(of: campaign).unfetched.isEmpty, "it is too early")
        try await bench.pass(1_900)
        let found = try await bench.dueFallbacks(of: campaign)
        #expect(found.due.isEmpty && found.unfetched.map(\.id) == [run.id])
        #expect(DueFallbacks.warning(about: run).contains("\(run.id)"))
        try await bench.ledger.fetch(["bob"], of: run.id)
        let later = try await bench.dueFallbacks(of: campaign)
        #expect(later.due.map(\.id) == [run.id] && later.unfetched.isEmpty)
    }

    @Test("A run that reached nobody gets no fallback and no warning")
    func runThatReachedNobodyGetsNoFallbackAndNoWarning() async throws {
        let campaign = try TestBench.campaignWithFallback()
        let bench = TestBench { _, _, _ in .now(.rejected) }
        _ = try await bench.run(campaign, people: audience.named)
        try await bench.pass(3_600)
        let found = try await bench.dueFallbacks(of: campaign)
        #expect(found.due.isEmpty && found.unfetched.isEmpty)
    }

    @Test("A campaign without `fallback` gets no fallback")
    func campaignWithoutFallbackGetsNoFallback() async throws {
        let (bench, _) = try await sent(TestBench.campaign())
        try await bench.pass(3_600)
        #expect(try await bench.dueFallbacks(of: TestBench.campaign()).due.isEmpty)
    }

    @Test("No fallback starts after a stop") func noFallbackStartsAfterAStop() async throws {
        let campaign = try TestBench.campaignWithFallback()
        let (bench, parent) = try await sent(campaign)
        try await bench.ledger.requestStop(parent.id, .resumable)
        try await bench.pass(3_600)
        #expect(try await bench.dueFallbacks(of: campaign).due.isEmpty)
    }

    @Test("No fallback starts after a revocation")
    func noFallbackStartsAfterARevocation() async throws {
        let campaign = try TestBench.campaignWithFallback()
        let (bench, parent) = try await sent(campaign)
        #expect(try await bench.stopper.stop(parent.id, mode: .revoking) == .revoked)
        try await bench.pass(3_600)
        #expect(try await bench.dueFallbacks(of: campaign).due.isEmpty)
    }

    @Test("No fallback starts after the payload has expired")
    func noFallbackStartsAfterThePayloadHasExpired() async throws {
        let campaign = try TestBench.campaignWithFallback(expiresAfter: .seconds(3_600))
        let (bench, _) = try await sent(campaign)
        try await bench.pass(3_600)
        #expect(try await bench.dueFallbacks(of: campaign).due.isEmpty)
    }

    @Test("People excluded since the run do not get its fallback")
    func peopleExcludedSinceTheRunDoNotGetItsFallback() async throws {
        let (campaign, bench, _) = try await whenDue()
        let nobody = ListedAudience(
            named: audience.named, excluded: ListedAudience.people(["bob", "carol"]))
        #expect(try await bench.fallBack(campaign, to: nobody).isEmpty)
        #expect(try await bench.dueFallbacks(of: campaign).due.isEmpty)
        #expect(bench.shown.isEmpty)
        #expect(try await bench.ledger.runs(campaign: nil, limit: 9).count == 1)
    }

    @Test(
        "A truncated export does not use up the fallback",
        arguments: [([], .empty(excluded: 0)), (["bob", "bob"], .tooFew(final: 1, minimum: 2))]
            as [([String], AudienceProblem)])
    func truncatedExportDoesNotUseUpTheFallback(
        _ names: [String], _ problem: AudienceProblem
    ) async throws {
        let (campaign, bench, _) = try await whenDue(TestBench.campaignWithFallback(minimum: 2))
        let parent = try #require(try await bench.dueFallbacks(of: campaign).due.first)
        let cut = ListedAudience(named: ListedAudience.people(names))
        let planned = try await bench.plan(
            TestBench.request(following: parent, with: campaign, at: bench.now()),
            following: parent, with: campaign, to: cut)
        #expect(planned.plan.problems == [problem])
        #expect(try await bench.fallBack(campaign, to: cut).isEmpty)
        #expect(try await bench.fallBack(campaign, to: audience).count == 1)
        #expect(bench.shown.map(\.username.text).sorted() == ["bob", "carol"])
    }

    @Test("An empty export causes no error if everybody has fetched")
    func emptyExportCausesNoErrorIfEverybodyHasFetched() async throws {
        let campaign = try TestBench.campaignWithFallback(minimum: 2)
        let (bench, parent) = try await sent(campaign)
        try await bench.ledger.fetch(["bob", "carol"], of: parent.id)
        try await bench.pass(1_900)
        #expect(try await bench.fallBack(campaign, to: ListedAudience(named: [])).isEmpty)
        #expect(try await bench.dueFallbacks(of: campaign).due.isEmpty)
    }

    @Test("A later wave gets its own fallback, but nobody gets two")
    func laterWaveGetsItsOwnFallbackButNobodyGetsTwo() async throws {
        let both = try TestBench.campaignWithFallback(platforms: [.apns, .fcm])
        let (campaign, bench, parent) = try await whenDue(both)
        let bobAlone = ListedAudience(named: ListedAudience.people(["bob"]))
        #expect(try await bench.fallBack(campaign, to: bobAlone).count == 1)
        // As after another wave, the ledger has more requests than the fallback covers.
        try await bench.ledger.record([], requests: 1, of: parent.id)
        let summaries = try await bench.fallBack(campaign, to: audience)
        #expect(summaries.map(\.record.occurrence) == [.fallback(of: parent.id, number: 2)])
        #expect(
            bench.shown.map { "\($0.username) \($0.platform)" }.sorted()
                == ["bob apns", "carol apns", "carol fcm"])
    }

    @Test("An interrupted staging of a fallback starts over")
    func interruptedStagingOfAFallbackStartsOver() async throws {
        let (campaign, bench, _) = try await whenDue()
        await bench.ledger.fail(.append, after: 0)
        await #expect(throws: FaultyLedger.DiskFull.self) {
            try await bench.fallBack(campaign, to: audience)
        }
        await bench.ledger.recover()
        let begun = try #require(try await bench.ledger.runs(campaign: nil, limit: 1).first)
        #expect(begun.state == .staging)
        let summaries = try await bench.fallBack(campaign, to: audience)
        #expect(summaries.map(\.record.id) == [begun.id])
        #expect(summaries.map(\.record.occurrence) == [begun.occurrence])
        #expect(bench.shown.count == 2)
    }

    @Test("Only one of two processes starts a fallback")
    func onlyOneOfTwoProcessesStartsAFallback() async throws {
        let (campaign, bench, _) = try await whenDue()
        let parent = try #require(try await bench.dueFallbacks(of: campaign).due.first)
        let first = try await bench.follow(parent, with: campaign, to: audience)
        let second = try await bench.follow(parent, with: campaign, to: audience)
        #expect(first?.result == .finished && second?.result == .alreadyFinished)
        #expect(bench.shown.count == 2)
    }

    @Test("A fallback is not sent if its run has since been revoked")
    func fallbackIsNotSentIfItsRunHasSinceBeenRevoked() async throws {
        let (campaign, bench, parent) = try await whenDue()
        let due = try #require(try await bench.dueFallbacks(of: campaign).due.first)
        let request = try TestBench.request(following: due, with: campaign, at: bench.now())
        let planned = try await bench.plan(request, following: due, with: campaign, to: audience)
        _ = try await bench.stopper.stop(parent.id, mode: .revoking)
        await #expect(throws: RunError.fallbackIsGone(campaign: "spring", of: parent.id)) {
            try await bench.runner.run(request, to: planned)
        }
        #expect(bench.shown.isEmpty)
    }

    @Test("Revoking a run ends its fallback") func revokingARunEndsItsFallback() async throws {
        let (_, bench, parent, paused) = try await paused()
        #expect(try await bench.stopper.stop(parent.id, mode: .revoking) == .revoked)
        let ended = try #require(try await bench.ledger.run(paused.id))
        #expect(ended.state == .finished && ended.revoked != nil)
        #expect(try await bench.ledger.outcomes(paused.id)[.skipped] == 2)
    }

    @Test("Permanently ending a finished run also ends its fallback")
    func permanentlyEndingAFinishedRunAlsoEndsItsFallback() async throws {
        let (_, bench, parent, paused) = try await paused()
        #expect(try await bench.stopper.stop(parent.id, mode: .final) == .ended)
        #expect(try await bench.ledger.run(paused.id)?.state == .finished)
        #expect(try await bench.ledger.outcomes(paused.id)[.notAttempted] == 2)
        await #expect(throws: StopError.finished(parent.id)) {
            try await bench.stopper.stop(parent.id, mode: .final)
        }
    }

    @Test("A resumed fallback is not sent again after a lost response")
    func resumedFallbackIsNotSentAgainAfterALostResponse() async throws {
        let policy = DeliveryPolicy(onUnknown: .resend)
        let campaign = try TestBench.campaignWithFallback(delivery: policy)
        let (bench, _) = try await sent(campaign)
        try await bench.pass(1_900)
        bench.sender.answer { _, username, _ in
            .now(username.text == "bob" ? .unknown : .stop(.credentials))
        }
        let summaries = try await bench.fallBack(campaign, to: audience)
        let paused = try #require(summaries.first).record
        #expect(paused.delivery.onUnknown == .hold)
        bench.sender.answer { _, _, _ in .now(.accepted) }
        let resumed = try await bench.runner.resume(
            paused.id, at: TestBench.hub, campaign: campaign)
        #expect(resumed.outcomes == OutcomeCounts([.accepted: 1, .unknown: 1]))
        #expect(bench.shown.count { $0.username.text == "bob" } == 1)
    }

    @Test("A fallback does not count as a send of its campaign")
    func fallbackDoesNotCountAsASendOfItsCampaign() async throws {
        let (campaign, bench, parent, _) = try await paused()
        let rest = try await UnreachedPeople.last(
            of: "spring", with: [.failed], at: TestBench.hub, in: bench.ledger)
        #expect(rest?.run == parent.id)
        let people = try await PeopleOfRun.last(
            RunSelection(
                campaign: "spring", outcomes: nil, fetched: nil,
                origin: AudienceOrigin(file: 0, line: 1)), hasFollowUps: false, at: TestBench.hub,
            in: bench.ledger)
        #expect(people.map(\.run) == [parent.id])
        bench.sender.answer { _, _, _ in .now(.accepted) }
        #expect(try await bench.run(campaign, people: audience.named).result == .alreadyFinished)
        #expect(
            try await bench.run(campaign, people: audience.named, mode: .again).result == .finished,
            "one that is not finished holds up no other sending")
    }

    @Test("A fallback's message is filled in with its own variables")
    func fallbacksMessageIsFilledInWithItsOwnVariables() async throws {
        let plain = try TestBench.campaign(kind: .rich, message: "{{city}} {{name}}", type: "text")
        let campaign = try TestBench.following(plain, by: "News for {{name}}", after: .seconds(60))
        let people = ListedAudience.people(["alice", "bob"], values: ["Bern", "Ms. A"])
        let bench = TestBench()
        let run = try await bench.run(campaign, people: people).record
        try await bench.ledger.fetch(["alice"], of: run.id)
        try await bench.pass(120)
        try await bench.fallBack(campaign, to: ListedAudience(named: people))
        let last = try #require(bench.sender.sent.last)
        #expect(last.username.text == "bob")
        #expect(String(decoding: last.body, as: UTF8.self).contains("News for Ms. A"))
    }
}
