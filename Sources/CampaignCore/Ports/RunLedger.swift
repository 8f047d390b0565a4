#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// Keeps runs and the outcomes of their deliveries; what a call wrote is durable when it returns.
///
/// Storage implements it. Every call throws when the store cannot be read or written. A delivery has no row until its page is
/// claimed, unless staging withheld it; then it is `sending`, and from there `waiting` or ended.
package protocol RunLedger: Sendable {
    /// Lets several processes work on one run; nil: one at a time does, which has the campaign's lock meanwhile.
    var sharing: (any RunSharing)? { get }

    // MARK: Runs

    /// Writes a new run down, in state `staging`.
    ///
    /// A run of the same id that is still `staging` is replaced: it is staged again, from a file that may have changed.
    ///
    /// - Parameter people: how many recipients it will have, as far as that is known; a store may prepare for them.
    /// - Throws: when another run of the same hub, campaign and occurrence exists, or one of this id beyond `staging`.
    func begin(_ run: RunRecord, expecting people: Int) async throws
    func run(_ id: RunID) async throws -> RunRecord?
    /// The run of an occurrence; rehearsals have none.
    func run(hub: HubIdentity, campaign: String, occurrence: Occurrence) async throws -> RunRecord?
    /// Newest first.
    ///
    /// - Parameters:
    ///   - campaign: only this campaign's; nil for all.
    func runs(campaign: String?, limit: Int) async throws -> [RunRecord]
    /// Newest first.
    func runs(_ search: RunSearch) async throws -> [RunRecord]
    /// Changes a run's state. `finished` is set with the state of that name; `reason` and `pause` are kept with `paused`.
    func setState(
        _ state: RunState, reason: String?, pause: RunPause?, of run: RunID, at time: Date
    ) async throws
    /// Leaves a run `waiting` until its next wave begins.
    func setWaiting(_ run: RunID, until resumption: Date, at time: Date) async throws
    /// Replaces the policy after the campaign file was read again.
    func setDelivery(_ delivery: DeliveryPolicy, of run: RunID) async throws
    /// Asks the process that works on a run, or the next one that does, to stop; a weaker request does not replace a stronger one.
    func requestStop(_ run: RunID, _ mode: StopMode) async throws
    /// Withdraws a request to stop, for `resume`; one that ends the run for good is kept.
    func clearStopRequest(_ run: RunID) async throws
    /// What was asked for with ``requestStop(_:_:)``; nil: nothing.
    func stopRequest(_ run: RunID) async throws -> StopMode?

    /// Compares all that was staged and recorded of a run with what was written; a million rows take about a second.
    ///
    /// - Throws: when anything of it was damaged.
    func verify(_ run: RunID) async throws

    // MARK: Staging

    /// Takes back whatever an interrupted staging of a run wrote.
    func clearStaging(_ run: RunID) async throws
    /// Stores a notification that recipients of a run share; there is one for each language that any of them gets.
    func store(_ notification: NewNotification, of run: RunID) async throws
    /// Writes down in which waves a run's recipients are, before any of them is.
    ///
    /// - Parameter waves: in order, without a gap between their numbers; empty: nothing is written.
    func store(_ waves: [RunWave], of run: RunID) async throws
    /// A run's waves, in order; empty where everybody's turn is at once.
    func waves(_ run: RunID) async throws -> [RunWave]
    /// How far the waves of a run are; empty where it has none.
    func waveStandings(_ run: RunID) async throws -> [WaveStanding]
    /// Writes recipients down, in name order over all calls, or over those for a wave; transactions hold at most 5,000 rows.
    func append(_ recipients: [StagedRecipient], to run: RunID) async throws
    /// Ends staging: from here on the run is `running` and its audience fixed.
    func finishStaging(_ run: RunID, counts: AudienceCounts) async throws

    // MARK: Sending

    /// Deliveries that an earlier process left `sending`: they may have gone out.
    ///
    /// The try that was interrupted counts in `attempts`, and `isUncertain` is set.
    func interrupted(_ run: RunID, platform: Platform, after number: Int, limit: Int) async throws
        -> [DeliveryClaim]
    /// Deliveries that wait for another try, by number.
    ///
    /// - Parameter last: the highest number that is meant; nil: all are.
    func waiting(
        _ run: RunID, platform: Platform, after number: Int, through last: Int?, limit: Int
    ) async throws -> [DeliveryClaim]
    /// Marks the next deliveries that were never tried as `sending`, durably, and returns them; empty at the end.
    ///
    /// A person who has had as many pushes as the cap allows is `skipped` instead, in the same step, so that two runs at
    /// the same time do not both use a person's last one. So is a person whose own payload was taken back, and one who has
    /// fetched what a fallback follows.
    ///
    /// - Parameters:
    ///   - wave: of which wave; nil where the run has none.
    ///   - limit: how many to claim at most; a few thousand may be skipped beside them.
    ///   - cap: how often one person may be reached; nil: without limit.
    ///   - time: the current time, at which the cap's period ends.
    func claimNext(
        _ run: RunID, platform: Platform, wave: Int?, limit: Int, cap: FrequencyCap?, at time: Date
    ) async throws -> ClaimedPage
    /// The next people who were never claimed on a platform, in name order, and nothing is marked; empty at the end.
    ///
    /// A page is of one wave, and waves come in their order: with each the names begin anew.
    ///
    /// - Parameters:
    ///   - number: `last` of the page before, 0 at first.
    /// - Returns: the people, and the last one's number.
    func unclaimed(_ run: RunID, platform: Platform, after number: Int, limit: Int) async throws
        -> (people: [Username], last: Int)
    /// How many of some people have had as many pushes on a platform as a cap allows; nothing is marked.
    ///
    /// - Parameters:
    ///   - people: in name order.
    ///   - run: whose own pushes do not count; nil: it is not there yet.
    ///   - cap: how often one person may be reached.
    ///   - time: the current time, at which the cap's period ends.
    func capped(
        _ people: [Username], on platform: Platform, at hub: HubIdentity, besides run: RunID?,
        by cap: FrequencyCap, at time: Date
    ) async throws -> Int
    /// Marks deliveries that wait as `sending` again, durably; transactions hold at most 5,000 rows.
    func claimAgain(
        _ run: RunID, platform: Platform, numbers: [Int], at time: Date
    ) async throws
    /// Writes down what became of deliveries, in one transaction, and adds to the run's count of requests.
    func record(_ records: [DeliveryRecord], requests: Int, of run: RunID) async throws
    /// Ends every delivery that has no outcome; those that may have gone out become `unknown` whatever the outcome given.
    func endRemaining(_ run: RunID, as outcome: Outcome, detail: String, at time: Date) async throws
    /// Takes a run's payloads back: no device can fetch them any more.
    func revoke(_ run: RunID, at time: Date) async throws
    /// The outcomes to date; what has none counts as `not_attempted`.
    ///
    /// Among the skipped, those whose detail begins with ``SkipReason/tooLate`` or ``SkipReason/expired`` are counted apart.
    func outcomes(_ run: RunID) async throws -> OutcomeCounts

    // MARK: Reporting

    // A run whose deliveries were deleted (``RunRecord/deliveriesDeleted``) keeps its sums; what tells of single people of it throws,
    // but for one person's rows, of which there are none.

    /// A page of a run's deliveries by name, then platform as listed.
    ///
    /// Pages hold whole recipients; `number` is the last one of the page before, 0 at first. At the end `rows` is empty;
    /// `last` is the number to go on after.
    func reportPage(_ run: RunID, after number: Int, recipients: Int) async throws
        -> (rows: [ReportRow], last: Int)
    /// One recipient's deliveries in a run, as listed; empty when the run does not go to them.
    func reportRows(_ run: RunID, of recipient: Username) async throws -> [ReportRow]
    /// A page, by name, of the people of a run who have a delivery with one of the given outcomes.
    ///
    /// Deliveries that were skipped as ``SkipReason/notAskedFor`` do not count.
    ///
    /// - Parameters:
    ///   - outcomes: which; a delivery without outcome counts as `not_attempted`.
    ///   - number: the last one of the page before, 0 at first.
    ///   - recipients: how many of the run's recipients are looked at.
    /// - Returns: those among them who match, maybe nobody; `last` is the number to go on after, nil at the end.
    func rest(of run: RunID, with outcomes: Set<Outcome>, after number: Int, recipients: Int)
        async throws -> (people: [RestMember], last: Int?)
    /// A page, by name, of the people of a run, for the audience of another.
    ///
    /// Deliveries that were skipped as ``SkipReason/notAskedFor`` do not count.
    ///
    /// - Parameters:
    ///   - outcomes: only people with a delivery that ended in one of these ways; one without outcome counts as
    ///     `not_attempted`. Nil: all whom the run is for.
    ///   - fetched: only people who fetched the payload, or only those who did not; nil: both.
    ///   - number: the last one of the page before, 0 at first.
    ///   - recipients: how many of the run's recipients are looked at.
    /// - Returns: those among them who match, maybe nobody; `last` is the number to go on after, nil at the end.
    func people(
        of run: RunID, with outcomes: Set<Outcome>?, fetched: Bool?, after number: Int,
        recipients: Int
    ) async throws -> (people: [Username], last: Int?)
    /// Why deliveries of a run were refused, failed or have no answer, the most frequent reasons first.
    ///
    /// - Parameters:
    ///   - limit: how many reasons at most.
    /// - Returns: reasons told apart by outcome and ``TroubleReason/essence(of:)``; their counts need not add up to all, and they name
    ///   nobody once the run's deliveries were deleted.
    func reasons(_ run: RunID, limit: Int) async throws -> [TroubleReason]
    /// How many people a run's pushes were accepted for, and how many fetched and read, so far.
    func reach(_ run: RunID) async throws -> Reach

    // MARK: Fallbacks

    /// The sendings of a campaign that can still be fetched, and whose fallbacks have not seen to all whom they reached; the
    /// earliest first.
    ///
    /// It is asked each minute: how many runs there are besides does not count.
    func followable(campaign: String, at hub: HubIdentity, now: Date) async throws -> [RunRecord]
    /// Whether any delivery of a run was accepted; it is asked each minute while a fallback may follow.
    ///
    /// - Parameter time: only what was accepted after it counts; nil: at any time.
    func hasAccepted(_ run: RunID, after time: Date?) async throws -> Bool
    /// Whether anybody has fetched what a run sent.
    func isFetched(_ run: RunID) async throws -> Bool
    /// Notes that the fallbacks of a run have seen to all whom so many of its requests reached; fewer than before change nothing.
    func noteFallback(of run: RunID, requests: Int) async throws

    // MARK: People

    /// Those of some people who were forgotten, and are in no run any more.
    ///
    /// - Throws: also when the key is missing by which they are recognised.
    func forgotten(among people: [Username]) async throws -> Set<Username>
}

extension RunLedger {
    /// Writes a new run down of which nobody knows yet how many people it goes to.
    package func begin(_ run: RunRecord) async throws {
        try await begin(run, expecting: 0)
    }

    /// Changes a run's state to one that says nothing about going on.
    package func setState(
        _ state: RunState, reason: String?, of run: RunID, at time: Date
    ) async throws {
        try await setState(state, reason: reason, pause: nil, of: run, at: time)
    }
}

extension RunLedger {
    package var sharing: (any RunSharing)? { nil }

    /// Deliveries that wait for another try, by number, however high.
    package func waiting(
        _ run: RunID, platform: Platform, after number: Int, limit: Int
    ) async throws -> [DeliveryClaim] {
        try await waiting(run, platform: platform, after: number, through: nil, limit: limit)
    }

    /// Claims from a run without waves.
    package func claimNext(
        _ run: RunID, platform: Platform, limit: Int, cap: FrequencyCap?, at time: Date
    ) async throws -> ClaimedPage {
        try await claimNext(run, platform: platform, wave: nil, limit: limit, cap: cap, at: time)
    }
}

/// Remembers since when schedules are known, and finds what is left of their runs.
///
/// Storage implements it.
package protocol ScheduleLedger: Sendable {
    /// The runs of a campaign, or of all where none is named, that have not ended, the newest first, without rehearsals; quick, however
    /// many have ended.
    func unfinished(campaign: String?, at hub: HubIdentity) async throws -> [RunRecord]
    /// When a campaign was first seen with this schedule; written down when it was not known.
    ///
    /// A schedule that was changed is a new one: what it names before that was not meant to be sent. A clock that was set
    /// back since takes the time with it.
    ///
    /// - Parameters:
    ///   - schedule: what tells it from others.
    ///   - now: the current time.
    func firstSight(
        of schedule: String, campaign: String, at hub: HubIdentity, now: Date
    ) async throws -> Date
    /// Since when the store has been kept, at the latest: written down when it was not known.
    ///
    /// A store that is older than a start knows whether it was sent.
    func began(now: Date) async throws -> Date
}

/// A payload to be stored, rendered.
package struct NewNotification: Hashable, Sendable {
    package var id: NotificationID
    /// The language in which it was rendered; nil: the one for everybody else.
    package var language: LanguageTag?
    package var title: String?
    package var type: String?
    package var message: String?
    /// What a push shows until the device has fetched the rest.
    package var placeholder: String?
    /// What opening it opens.
    package var link: String?
    /// Further keys for the app.
    package var data: [String: String]
    /// What pushes say on single platforms instead.
    package var platformTexts: [Platform: PushTexts]
    package var content: StoredContent

    package init(
        id: NotificationID, language: LanguageTag? = nil, title: String? = nil, type: String?,
        message: String?, placeholder: String? = nil, link: String? = nil,
        data: [String: String] = [:], platformTexts: [Platform: PushTexts] = [:],
        content: StoredContent
    ) {
        self.id = id
        self.language = language
        self.title = title
        self.type = type
        self.message = message
        self.placeholder = placeholder
        self.link = link
        self.data = data
        self.platformTexts = platformTexts
        self.content = content
    }

    /// What a push says on a platform.
    package func texts(on platform: Platform) -> PushTexts {
        let everywhere = PushTexts(title: title, message: message, placeholder: placeholder)
        return platformTexts[platform].map { $0.over(everywhere) } ?? everywhere
    }
}

/// What a push says on one platform where it says something else than on the others, rendered.
package struct PushTexts: Hashable, Sendable {
    /// nil: as everywhere.
    package var title: String?
    /// nil: as everywhere.
    package var message: String?
    /// nil: as everywhere.
    package var placeholder: String?

    package init(title: String? = nil, message: String? = nil, placeholder: String? = nil) {
        self.title = title
        self.message = message
        self.placeholder = placeholder
    }

    /// These texts, and those of others where there is none.
    package func over(_ others: PushTexts) -> PushTexts {
        PushTexts(
            title: title ?? others.title, message: message ?? others.message,
            placeholder: placeholder ?? others.placeholder)
    }
}

/// What a device fetches.
package enum StoredContent: Hashable, Sendable {
    /// Nothing (alert).
    case none
    /// A text of this notification's own; an address when it is `text/uri-list`.
    case text(String, mediaType: String)
    /// The run's file, stored once however many notifications share it.
    case file(PayloadFile)
}

/// One recipient on the way into the store.
package struct StagedRecipient: Hashable, Sendable {
    package var username: Username
    /// Their own notification when the payload has variables; nil: one that they share.
    package var notification: NewNotification?
    /// The language of the notification that they share with others, which was stored before; nil: the one for everybody else.
    package var language: LanguageTag?
    /// Platforms of the run on which they get no push: these deliveries are skipped as ``SkipReason/notAskedFor``.
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

/// What was claimed at once.
package struct ClaimedPage: Hashable, Sendable {
    /// Those that are `sending` now, by number.
    package var claims: [DeliveryClaim]
    /// How many were passed over for good: they have the outcome `skipped`.
    package var skipped: Int
    /// Names it towards the part of a run that has claimed it; nil: it is no part's.
    package var id: Int?

    package init(claims: [DeliveryClaim], skipped: Int = 0, id: Int? = nil) {
        self.claims = claims
        self.skipped = skipped
        self.id = id
    }

    /// Whether there was nobody left to claim.
    package var isEmpty: Bool { claims.isEmpty && skipped == 0 }
}

/// What the pushes of one notification hold on one platform.
///
/// A class, since in most runs everybody's claim has the same one: a claim is copied with one reference and not with all its texts.
package final class PushedNotification: Hashable, Sendable {
    package let id: NotificationID
    /// `richType`, rendered.
    package let type: String?
    /// Title, message and placeholder on the platform, rendered.
    package let texts: PushTexts
    /// What opening it opens.
    package let link: String?
    /// Further keys for the app.
    package let data: [String: String]

    package init(
        id: NotificationID, type: String? = nil, texts: PushTexts = PushTexts(),
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

/// One delivery that was marked as `sending` and may now go out.
package struct DeliveryClaim: Hashable, Sendable {
    /// The recipient's number in the run, from 1, in name order or in that of the run's waves and by name in each.
    package var number: Int
    package var username: Username
    /// What the push holds.
    package var pushed: PushedNotification
    /// Tries made before.
    package var attempts: Int
    /// Whether an earlier try may have gone out.
    package var isUncertain: Bool
    /// Whether the payload was taken back, so that nobody could fetch it.
    package var isRevoked: Bool
    /// Whether others have the same notification.
    package var isShared: Bool

    package var notification: NotificationID { pushed.id }

    /// Whether the push for another person holds the same notification, so that both may share it.
    package func isLike(_ other: DeliveryClaim) -> Bool {
        // Claims of one page that share a notification have the same object; ids are compared only where they have not.
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

/// What is to be written down about one delivery.
package struct DeliveryRecord: Hashable, Sendable {
    package enum State: Hashable, Sendable {
        /// It waits for another try; nothing is under way.
        case waiting
        /// It ended.
        case ended(Outcome)
    }

    package var number: Int
    package var platform: Platform
    package var state: State
    /// Tries made, this one included.
    package var attempts: Int
    /// Whether any try may have gone out without a known answer.
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

/// One person of a run with the platforms on which their deliveries ended in a way that was asked for.
package struct RestMember: Hashable, Sendable {
    package let username: Username
    /// Never empty.
    package let platforms: Set<Platform>

    package init(username: Username, platforms: Set<Platform>) {
        self.username = username
        self.platforms = platforms
    }
}
