#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// Keeps runs and the outcomes of their deliveries; what a call wrote is durable when it returns.
///
/// A delivery has no row until its page is claimed, unless staging withheld it. Then it is
/// `sending`, and later `waiting` or ended.
package protocol RunLedger: Sendable {
    /// Lets several processes work on one run; nil: only the holder of the campaign's lock does.
    var sharing: (any RunSharing)? { get }

    // MARK: Runs

    /// Writes a new run in state `staging`; replaces one of the same id that is still `staging`.
    ///
    /// - Parameter people: an estimate of its recipients; a store may prepare for them.
    func begin(_ run: RunRecord, expecting people: Int) async throws
    func run(_ id: RunID) async throws -> RunRecord?
    /// The run of an occurrence; rehearsals have none.
    func run(hub: HubIdentity, campaign: String, occurrence: Occurrence) async throws -> RunRecord?
    /// Newest first; nil for all campaigns.
    func runs(campaign: String?, limit: Int) async throws -> [RunRecord]
    func runs(_ search: RunSearch) async throws -> [RunRecord]
    /// `reason` and `pause` are kept with `paused` only.
    func setState(
        _ state: RunState, reason: String?, pause: RunPause?, of run: RunID, at time: Date
    ) async throws
    func setWaiting(_ run: RunID, until resumption: Date, at time: Date) async throws
    func setDelivery(_ delivery: DeliveryPolicy, of run: RunID) async throws
    /// Asks for a stop; a weaker request does not replace a stronger one.
    func requestStop(_ run: RunID, _ mode: StopMode) async throws
    /// Withdraws a request to stop, for `resume`; one that ends the run for good is kept.
    func clearStopRequest(_ run: RunID) async throws
    func stopRequest(_ run: RunID) async throws -> StopMode?

    /// Checks everything stored of a run for damage, and throws if any; a million rows take a
    /// second.
    func verify(_ run: RunID) async throws

    // MARK: Staging

    func clearStaging(_ run: RunID) async throws
    /// Stores a notification that recipients of a run share, one for each language.
    func store(_ notification: NewNotification, of run: RunID) async throws
    /// Stores a run's waves, numbered without a gap, before any recipient.
    func store(_ waves: [RunWave], of run: RunID) async throws
    /// Empty if everybody's turn is at once.
    func waves(_ run: RunID) async throws -> [RunWave]
    /// Empty if the run has no waves.
    func waveStandings(_ run: RunID) async throws -> [WaveStanding]
    /// Writes recipients, in name order over all calls (or per wave), at most 5,000 a transaction.
    func append(_ recipients: [StagedRecipient], to run: RunID) async throws
    /// Ends staging: the run is `running` and its audience fixed.
    func finishStaging(_ run: RunID, counts: AudienceCounts) async throws

    // MARK: Sending

    /// Deliveries that an earlier process left `sending`: they may have gone out.
    ///
    /// `attempts` includes the interrupted try, and `isUncertain` is set.
    func interrupted(_ run: RunID, platform: Platform, after number: Int, limit: Int) async throws
        -> [DeliveryClaim]
    /// Deliveries that wait for another try, by number, up to `last` if given.
    func waiting(
        _ run: RunID, platform: Platform, after number: Int, through last: Int?, limit: Int
    ) async throws -> [DeliveryClaim]
    /// Marks the next untried deliveries as `sending`, durably; empty at the end.
    ///
    /// Skips, in the same step, people who have reached the cap, whose own payload was revoked, or
    /// who fetched what a fallback follows. Two runs at once therefore cannot both use a person's
    /// last push.
    ///
    /// - Parameter limit: the most to claim; a few thousand more may be skipped.
    func claimNext(
        _ run: RunID, platform: Platform, wave: Int?, limit: Int, cap: FrequencyCap?, at time: Date
    ) async throws -> ClaimedPage
    /// The next people never claimed on a platform, by name; nothing is marked, empty at the end.
    ///
    /// Each page is of one wave, and names start again with each wave. `number` is the `last` of
    /// the page before, 0 at first.
    func unclaimed(_ run: RunID, platform: Platform, after number: Int, limit: Int) async throws
        -> (people: [Username], last: Int)
    /// How many of `people` (in name order) have reached a cap; pushes of `run` do not count.
    func capped(
        _ people: [Username], on platform: Platform, at hub: HubIdentity, besides run: RunID?,
        by cap: FrequencyCap, at time: Date
    ) async throws -> Int
    /// Marks waiting deliveries as `sending` again, durably, at most 5,000 a transaction.
    func claimAgain(
        _ run: RunID, platform: Platform, numbers: [Int], at time: Date
    ) async throws
    /// Records outcomes and adds to the run's count of requests, in one transaction.
    func record(_ records: [DeliveryRecord], requests: Int, of run: RunID) async throws
    /// Ends every delivery without an outcome; those that may have gone out become `unknown`.
    func endRemaining(_ run: RunID, as outcome: Outcome, detail: String, at time: Date) async throws
    func revoke(_ run: RunID, at time: Date) async throws
    /// The outcomes so far; deliveries without one count as `not_attempted`.
    func outcomes(_ run: RunID) async throws -> OutcomeCounts

    // MARK: Reporting

    // Once a run's deliveries are deleted (``RunRecord/deliveriesDeleted``), its sums remain.
    // Queries about its people then throw, except those about one person, which find no rows.

    /// A page of a run's deliveries by name, then platform as listed; empty at the end.
    ///
    /// Pages hold whole recipients. `number` is the `last` of the page before, 0 at first.
    func reportPage(_ run: RunID, after number: Int, recipients: Int) async throws
        -> (rows: [ReportRow], last: Int)
    func reportRows(_ run: RunID, of recipient: Username) async throws -> [ReportRow]
    /// A page, by name, of the people who have a delivery with one of the given outcomes.
    ///
    /// Ignores deliveries skipped as ``SkipReason/notAskedFor``; those without an outcome count as
    /// `not_attempted`. A page may be empty before the end; `last` is nil at the end.
    ///
    /// - Parameter recipients: how many recipients to look at.
    func rest(of run: RunID, with outcomes: Set<Outcome>, after number: Int, recipients: Int)
        async throws -> (people: [RestMember], last: Int?)
    /// A page, by name, of a run's people, for another run's audience.
    ///
    /// Counts deliveries and ends like ``rest(of:with:after:recipients:)``; nil `outcomes` or
    /// `fetched` match everybody.
    func people(
        of run: RunID, with outcomes: Set<Outcome>?, fetched: Bool?, after number: Int,
        recipients: Int
    ) async throws -> (people: [Username], last: Int?)
    /// Why deliveries were refused, failed or have no answer, the most frequent reasons first.
    ///
    /// Grouped by outcome and ``TroubleReason/essence(of:)``. Counts need not add up to all;
    /// reasons name nobody once the run's deliveries were deleted.
    func reasons(_ run: RunID, limit: Int) async throws -> [TroubleReason]
    func reach(_ run: RunID) async throws -> Reach

    // MARK: Fallbacks

    /// Runs whose payload can still be fetched and whose fallbacks are not complete, earliest
    /// first.
    ///
    /// Called every minute, so its cost must not grow with the number of other runs.
    func followable(campaign: String, at hub: HubIdentity, now: Date) async throws -> [RunRecord]
    /// Whether any delivery was accepted (after `time`, if given); called every minute.
    func hasAccepted(_ run: RunID, after time: Date?) async throws -> Bool
    func isFetched(_ run: RunID) async throws -> Bool
    /// Notes how many of a run's requests its fallbacks have covered; a smaller number is ignored.
    func noteFallback(of run: RunID, requests: Int) async throws

    // MARK: People

    /// Those of some people who were forgotten; throws if the key that recognises them is missing.
    func forgotten(among people: [Username]) async throws -> Set<Username>
}

extension RunLedger {
    package func begin(_ run: RunRecord) async throws {
        try await begin(run, expecting: 0)
    }

    package func setState(
        _ state: RunState, reason: String?, of run: RunID, at time: Date
    ) async throws {
        try await setState(state, reason: reason, pause: nil, of: run, at: time)
    }
}

extension RunLedger {
    package var sharing: (any RunSharing)? { nil }

    package func waiting(
        _ run: RunID, platform: Platform, after number: Int, limit: Int
    ) async throws -> [DeliveryClaim] {
        try await waiting(run, platform: platform, after: number, through: nil, limit: limit)
    }

    package func claimNext(
        _ run: RunID, platform: Platform, limit: Int, cap: FrequencyCap?, at time: Date
    ) async throws -> ClaimedPage {
        try await claimNext(run, platform: platform, wave: nil, limit: limit, cap: cap, at: time)
    }
}

/// Remembers when each schedule was first seen, and finds unfinished runs.
package protocol ScheduleLedger: Sendable {
    /// Unfinished runs, newest first, without rehearsals; fast however many have ended.
    func unfinished(campaign: String?, at hub: HubIdentity) async throws -> [RunRecord]
    /// When a campaign was first seen with this schedule; recorded on the first call.
    ///
    /// A changed schedule is a new one: its earlier times were never meant to be sent. If the clock
    /// was set back, the recorded time moves back too.
    func firstSight(
        of schedule: String, campaign: String, at hub: HubIdentity, now: Date
    ) async throws -> Date
    /// When the store was started, at the latest; recorded on the first call.
    ///
    /// A store older than a scheduled start knows whether it was sent.
    func began(now: Date) async throws -> Date
}

/// A payload to be stored, rendered.
package struct NewNotification: Hashable, Sendable {
    package var id: NotificationID
    /// nil: for everybody whose language has no text of its own.
    package var language: LanguageTag?
    package var type: String?
    package var texts: Texts<String>
    package var link: String?
    package var data: [String: String]
    /// The texts in which a platform differs.
    package var platformTexts: [Platform: Texts<String>]
    package var content: StoredContent

    package init(
        id: NotificationID, language: LanguageTag? = nil, type: String?,
        texts: Texts<String> = Texts(), link: String? = nil, data: [String: String] = [:],
        platformTexts: [Platform: Texts<String>] = [:], content: StoredContent
    ) {
        self.id = id
        self.language = language
        self.type = type
        self.texts = texts
        self.link = link
        self.data = data
        self.platformTexts = platformTexts
        self.content = content
    }

    package func texts(on platform: Platform) -> Texts<String> {
        platformTexts[platform].map { $0.over(texts) } ?? texts
    }
}

package enum StoredContent: Hashable, Sendable {
    case none
    /// A text of its own; an address if it is `text/uri-list`.
    case text(String, mediaType: String)
    /// The run's file, stored once for all notifications.
    case file(PayloadFile)
}

package struct StagedRecipient: Hashable, Sendable {
    package var username: Username
    /// Their own notification if the payload has variables; nil: a shared one.
    package var notification: NewNotification?
    /// The language of their shared notification; nil: the default one.
    package var language: LanguageTag?
    /// Platforms whose deliveries are skipped as ``SkipReason/notAskedFor``.
    package var withheld: Set<Platform>

    package init(
        username: Username, notification: NewNotification? = nil, language: LanguageTag? = nil,
        withheld: Set<Platform> = []
    ) {
        self.username = username
        self.notification = notification
        self.language = language
        self.withheld = withheld
    }
}

package struct ClaimedPage: Hashable, Sendable {
    package var claims: [DeliveryClaim]
    /// Deliveries that ended as `skipped`.
    package var skipped: Int
    /// Identifies the page to the part of a run that claimed it; nil: no part did.
    package var id: Int?

    package init(claims: [DeliveryClaim], skipped: Int = 0, id: Int? = nil) {
        self.claims = claims
        self.skipped = skipped
        self.id = id
    }

    package var isEmpty: Bool { claims.isEmpty && skipped == 0 }
}

/// What the pushes of one notification hold on one platform.
///
/// A class, because most claims of a run share it: a claim copies one reference, not all its texts.
package final class PushedNotification: Hashable, Sendable {
    package let id: NotificationID
    package let type: String?
    package let texts: Texts<String>
    package let link: String?
    package let data: [String: String]

    package init(
        id: NotificationID, type: String? = nil, texts: Texts<String> = Texts(),
        link: String? = nil, data: [String: String] = [:]
    ) {
        self.id = id
        self.type = type
        self.texts = texts
        self.link = link
        self.data = data
    }

    package static func == (left: PushedNotification, right: PushedNotification) -> Bool {
        left === right
            || left.id == right.id && left.type == right.type && left.texts == right.texts
                && left.link == right.link && left.data == right.data
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(id)
    }
}

/// A delivery marked as `sending` that may now go out.
package struct DeliveryClaim: Hashable, Sendable {
    /// The recipient's number in the run, from 1, by wave and then by name.
    package var number: Int
    package var username: Username
    package var pushed: PushedNotification
    package var attempts: Int
    package var isUncertain: Bool
    package var isRevoked: Bool
    package var isShared: Bool

    package var notification: NotificationID { pushed.id }

    package func isLike(_ other: DeliveryClaim) -> Bool {
        // Claims of one page share the object if they share a notification; otherwise compare ids.
        pushed === other.pushed || notification == other.notification
    }

    package init(
        number: Int, username: Username, _ pushed: PushedNotification, attempts: Int,
        isUncertain: Bool, isRevoked: Bool = false, isShared: Bool = false
    ) {
        self.number = number
        self.username = username
        self.pushed = pushed
        self.attempts = attempts
        self.isUncertain = isUncertain
        self.isRevoked = isRevoked
        self.isShared = isShared
    }
}

package struct DeliveryRecord: Hashable, Sendable {
    package enum State: Hashable, Sendable {
        case waiting
        case ended(Outcome)
    }

    package var number: Int
    package var platform: Platform
    package var state: State
    /// Tries made, including this one.
    package var attempts: Int
    /// Whether any try may have gone out unanswered.
    package var isUncertain: Bool
    /// Status and reason, without controls, at most 200 characters.
    package var detail: String
    package var hubMessage: String?
    package var recordedAt: Date

    package init(
        number: Int, platform: Platform, state: State, attempts: Int, isUncertain: Bool,
        detail: String, hubMessage: String?, recordedAt: Date
    ) {
        self.number = number
        self.platform = platform
        self.state = state
        self.attempts = attempts
        self.isUncertain = isUncertain
        self.detail = detail
        self.hubMessage = hubMessage
        self.recordedAt = recordedAt
    }
}

/// A person, with the platforms whose deliveries ended in one of the given outcomes.
package struct RestMember: Hashable, Sendable {
    package let username: Username
    /// Never empty.
    package let platforms: Set<Platform>

    package init(username: Username, platforms: Set<Platform>) {
        self.username = username
        self.platforms = platforms
    }
}
