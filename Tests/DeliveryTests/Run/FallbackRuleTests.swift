import CampaignCore
import FoundationEssentials
import TestSupport
import Testing

@testable import Delivery

@Suite(.bounded) struct FallbackRuleTests {
    private static let start = TestBench.start
    private static let id = RunID(checked: "20270115T080000Z-aaaaaa")

    private func rule(at seconds: Double) throws -> FallbackRule {
        FallbackRule(
            Fallback(after: .seconds(1_800), message: try MessageTemplate("New")),
            at: Self.start + seconds)
    }

    /// A run that ended ten seconds after its start.
    private func run(_ change: (inout RunRecord) -> Void = { _ in }) -> RunRecord {
        var run = RunRecord(
            id: Self.id, campaign: "spring", hub: TestBench.hub, occurrence: .once,
            isRehearsal: false, state: .finished, kind: .secure, platforms: [.apns],
            isMessagePrivate: true, campaignPath: "/campaigns/spring.yaml",
            delivery: DeliveryPolicy(), fingerprints: [:], requests: 3, started: Self.start,
            finished: Self.start + 10, expires: Self.start + 7_200)
        change(&run)
        return run
    }

    @Test("A finished run can get a fallback until its payload expires")
    func finishedRunCanGetAFallbackUntilItsPayloadExpires() throws {
        #expect(try !rule(at: 1_799).follows(run()))
        #expect(try rule(at: 1_800).follows(run()))
        #expect(try rule(at: 7_199).follows(run()))
        #expect(try !rule(at: 7_200).follows(run()))
    }

    @Test("A fallback key that is added later does not affect earlier runs")
    func fallbackKeyThatIsAddedLaterDoesNotAffectEarlierRuns() throws {
        let lasting = run { $0.expires = Self.start + 7 * 86_400 }
        #expect(try rule(at: 86_400 + 1_809).follows(lasting))
        #expect(try !rule(at: 86_400 + 1_810).follows(lasting))
    }

    @Test("A run between waves can get a fallback until the next wave is due")
    func runBetweenWavesCanGetAFallbackUntilTheNextWaveIsDue() throws {
        let waiting = run {
            $0.state = .waiting
            $0.finished = nil
            $0.resumes = Self.start + 3_600
        }
        #expect(try rule(at: 3_599).follows(waiting))
        #expect(try !rule(at: 3_600).follows(waiting))
        #expect(try !rule(at: 3_599).isOver(waiting), "its deliveries have to be asked")
    }

    @Test("If a run ended long enough ago, its deliveries need not be queried")
    func ifARunEndedLongEnoughAgoItsDeliveriesNeedNotBeQueried() throws {
        #expect(try !rule(at: 1_809).isOver(run()))
        #expect(try rule(at: 1_810).isOver(run()))
    }

    @Test(
        "An unfinished run gets no fallback",
        arguments: [RunState.staging, .running, .paused, .stopped])
    func unfinishedRunGetsNoFallback(state: RunState) throws {
        #expect(try !rule(at: 3_600).follows(run { $0.state = state }))
    }

    @Test("Alerts, rehearsals, fallbacks and revoked runs get no fallback")
    func alertsRehearsalsFallbacksAndRevokedRunsGetNoFallback() throws {
        let rule = try rule(at: 3_600)
        #expect(!rule.follows(run { $0.kind = .alert }))
        #expect(!rule.follows(run { $0.isRehearsal = true }))
        #expect(!rule.follows(run { $0.occurrence = .fallback(of: Self.id, number: 1) }))
        #expect(!rule.follows(run { $0.revoked = Self.start + 60 }))
        #expect(!rule.follows(run { $0.requests = 0 }))
        #expect(!rule.follows(run { $0.fallbackRequests = 3 }))
        #expect(rule.follows(run { $0.fallbackRequests = 2 }))
        #expect(rule.follows(run { $0.occurrence = .followUp(Self.id) }))
    }

    private func row(
        _ name: String, _ platform: Platform, _ outcome: Outcome = .accepted,
        isFetched: Bool = false, isRevoked: Bool = false
    ) -> ReportRow {
        ReportRow(
            recipient: Username(checked: name), platform: platform, notification: .placeholder,
            outcome: outcome, detail: "", hubMessage: nil, attempts: 1, recordedAt: Self.start,
            fetchedAt: isFetched ? Self.start : nil, revokedAt: isRevoked ? Self.start : nil)
    }

    @Test("A fallback is for people who were reached but fetched nothing")
    func fallbackIsForPeopleWhoWereReachedButFetchedNothing() {
        let rows = [
            row("", .apns), row("", .fcm),
            row("alice", .apns), row("alice", .fcm),
            row("bob", .apns, .rejected), row("bob", .fcm),
            row("carol", .apns, isFetched: true), row("carol", .fcm, isFetched: true),
            row("dave", .apns, .unknown), row("dave", .fcm, .skipped),
            row("erin", .apns, isRevoked: true), row("erin", .fcm, isRevoked: true),
            row("frank", .apns), row("frank", .fcm, .notAttempted),
        ]
        let expected: [(String, Set<Platform>)] = [
            ("alice", [.apns, .fcm]), ("bob", [.fcm]), ("frank", [.apns]),
        ]
        #expect(
            UnreachedPeople.unfetched(in: rows)
                == expected.map { UnreachedPerson(username: Username(checked: $0), platforms: $1) })
    }

    @Test("A fallback respects the quiet hours but not the local time")
    func fallbackRespectsTheQuietHoursButNotTheLocalTime() throws {
        let sendTimes = SendTimeRule(
            quietHours: QuietHours(from: 1_260, to: 480), localTime: 540, zone: .utc)
        let secure = try TestBench.campaign(
            platforms: [.fcm, .apns, .wns], delivery: DeliveryPolicy(rate: 7, onUnknown: .resend))
        let campaign = Campaign(
            name: secure.name, description: nil, kind: .secure, platforms: secure.platforms,
            audience: secure.audience, payload: secure.payload, sendTimes: sendTimes,
            fallback: Fallback(after: .seconds(60), message: try MessageTemplate("New")),
            delivery: secure.delivery, fingerprints: secure.fingerprints)
        let parent = run { $0.platforms = [.apns, .fcm] }
        let sent = try #require(campaign.sent(as: .fallback(of: parent), at: Self.start + 7_000))
        #expect(sent.kind == .alert)
        #expect(sent.platforms == [.fcm, .apns])
        #expect(sent.payload.texts.message == LocalizedTemplate(try MessageTemplate("New")))
        #expect(sent.payload.content == nil && sent.payload.texts.title == nil)
        #expect(sent.payload.expiresAfter == .seconds(200))
        #expect(
            sent.sendTimes?.quietHours == sendTimes.quietHours && sent.sendTimes?.localTime == nil)
        #expect(sent.delivery.rate == 7)
        #expect(sent.delivery.onUnknown == .hold, "nobody is shown it twice")
        #expect(sent.fallback == nil && sent.schedule == nil)
        #expect(secure.sent(as: .fallback(of: parent), at: Self.start) == nil)
        let elsewhere = run { $0.platforms = [.browser] }
        #expect(campaign.sent(as: .fallback(of: elsewhere), at: Self.start) == nil)
        #expect(campaign.sent(as: .again, at: Self.start)?.kind == .secure)
    }
}
