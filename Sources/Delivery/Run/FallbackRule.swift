package import CampaignCore
package import FoundationEssentials

/// Which runs a fallback may follow, and from when on: the `delivery.fallback` key (contract, section 13).
///
/// It follows when nothing of the run is being sent, so that it is for all whom the run has reached by then: of a run in waves
/// there may be one after each.
struct FallbackRule: Sendable {
    /// How late one may be, in seconds: so that a key that is new in a file brings nothing to the people of old runs.
    private static let latestStart = 86_400.0

    /// What was accepted later than this has time left to be fetched.
    let latest: Date
    private let now: Date

    /// - Parameters:
    ///   - fallback: the campaign's.
    ///   - now: the current time.
    init(_ fallback: Fallback, at now: Date) {
        self.now = now
        latest = now.addingTimeInterval(-(fallback.after / .seconds(1)))
    }

    /// Whether one may follow a run now, as far as its record says.
    func follows(_ run: RunRecord) -> Bool {
        run.started <= latest && willFollow(run)
    }

    /// Whether one may follow a run now or later, as far as its record says.
    func willFollow(_ run: RunRecord) -> Bool {
        guard run.canBeFollowed(at: now) else { return false }
        return run.finished.map { $0.addingTimeInterval(Self.latestStart) > latest } ?? true
    }

    /// Whether all that a run has sent was accepted early enough, as far as its record says; else its deliveries have to be asked.
    func isOver(_ run: RunRecord) -> Bool {
        run.finished.map { $0 <= latest } ?? false
    }
}

extension RunRecord {
    /// Whether it is a sending that can be fetched, of which nothing is being sent, and which has reached somebody for whom no
    /// fallback has seen.
    ///
    /// - Parameter now: the current time.
    func canBeFollowed(at now: Date) -> Bool {
        guard kind.isSilent, !isRehearsal, occurrence.fallbackOf == nil, revoked == nil,
            expires > now, requests > fallbackRequests
        else { return false }
        return switch state {
        case .finished: true
        // Whose turn has come is sent to first.
        case .waiting: resumes.map { $0 > now } ?? false
        case .staging, .running, .paused, .stopped: false
        }
    }
}

/// The runs of a campaign that a fallback is to follow.
package struct DueFallbacks: Sendable {
    /// Those for which it is time, the earliest first.
    package let due: [RunRecord]
    /// Those for which it would be time, had anybody fetched anything of them: as nobody has, devices cannot.
    package let unfetched: [RunRecord]

    /// Nothing.
    static let none = DueFallbacks(due: [], unfetched: [])

    private init(due: [RunRecord], unfetched: [RunRecord]) {
        self.due = due
        self.unfetched = unfetched
    }

    /// Looks them up.
    ///
    /// Of runs that have expired, or whose fallback is done, nothing is read.
    ///
    /// - Parameters:
    ///   - campaign: the campaign.
    ///   - hub: where it was sent.
    ///   - ledger: where runs are kept; it is only read.
    ///   - now: the current time.
    /// - Throws: what the ledger throws.
    init(
        of campaign: Campaign, at hub: HubIdentity, in ledger: any RunLedger, now: Date
    ) async throws {
        guard let fallback = campaign.fallback else {
            self = .none
            return
        }
        let rule = FallbackRule(fallback, at: now)
        var (due, unfetched): ([RunRecord], [RunRecord]) = ([], [])
        let runs = try await ledger.followable(campaign: campaign.name, at: hub, now: now)
        for run in runs where rule.follows(run) {
            // Who stopped it wants no more of it, also where it had finished before.
            guard try await ledger.stopRequest(run.id) == nil,
                try await ledger.hasAccepted(run.id, after: nil)
            else { continue }
            if !rule.isOver(run), try await ledger.hasAccepted(run.id, after: rule.latest) {
                continue
            }
            if try await ledger.isFetched(run.id) {
                due.append(run)
            } else {
                unfetched.append(run)
            }
        }
        self.init(due: due, unfetched: unfetched)
    }

    /// The finished runs of a campaign that one is still to follow, the earliest first.
    ///
    /// - Parameters:
    ///   - campaign: the campaign.
    ///   - hub: where it was sent.
    ///   - ledger: where runs are kept; it is only read.
    ///   - now: the current time.
    /// - Throws: what the ledger throws.
    package static func expected(
        of campaign: Campaign, at hub: HubIdentity, in ledger: any RunLedger, now: Date
    ) async throws -> [RunRecord] {
        guard let fallback = campaign.fallback else { return [] }
        let rule = FallbackRule(fallback, at: now)
        var expected: [RunRecord] = []
        for run in try await ledger.followable(campaign: campaign.name, at: hub, now: now)
        where run.state == .finished && rule.willFollow(run) {
            guard try await ledger.stopRequest(run.id) == nil,
                try await ledger.hasAccepted(run.id, after: nil)
            else { continue }
            expected.append(run)
        }
        return expected
    }

    /// That nobody can fetch what a run sent, for who looks after the campaign.
    ///
    /// - Parameter run: one of ``unfetched``.
    package static func warning(about run: RunRecord) -> String {
        "Campaign \(run.campaign): nobody has fetched anything of run \(run.id), so no fallback follows it: "
            + "devices may be unable to reach the app backend. Check that `hubsend serve` is up and uses this "
            + "store; once somebody has fetched, the fallback follows by itself."
    }
}

extension RunLedger {
    /// The occurrence of the next fallback of a run, which must not have changed since it was planned.
    ///
    /// - Parameters:
    ///   - parent: the run, as the plan has it.
    ///   - request: what is asked of the fallback; with the campaign's lock held.
    ///   - now: the current time.
    /// - Throws: ``RunError/fallbackIsGone(campaign:of:)``; what the ledger throws.
    func nextFallback(
        of parent: RunRecord, for request: RunRequest, at now: Date
    ) async throws -> Occurrence {
        let name = request.campaign.name
        guard let run = try await run(parent.id), run.campaign == name, run.hub == request.hub,
            run.requests == parent.requests, run.canBeFollowed(at: now),
            try await stopRequest(run.id) == nil
        else { throw RunError.fallbackIsGone(campaign: name, of: parent.id) }
        let known = try await Sendings(of: name, at: request.hub, in: self)
            .fallbacks(of: run.id).map(\.occurrence)
        var number = 1
        while known.contains(.fallback(of: run.id, number: number)) { number += 1 }
        return .fallback(of: run.id, number: number)
    }
}
