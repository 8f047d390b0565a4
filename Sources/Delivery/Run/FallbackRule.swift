package import CampaignCore
package import FoundationEssentials

/// Which runs a fallback may follow, and from when on: the `delivery.fallback` key (contract, section 13).
///
/// A fallback follows when nothing of the run is being sent, so that it is for everybody whom the run has reached by then. A run in
/// waves may have a fallback after each wave.
struct FallbackRule: Sendable {
    /// How late a fallback may be, in seconds: so a key that is new in a file sends nothing to the people of old runs.
    private static let latestStart = 86_400.0

    /// A push that was accepted after this time may still be fetched before the fallback.
    let latest: Date
    private let now: Date

    /// - Parameters:
    ///   - fallback: the campaign's fallback.
    ///   - now: the current time.
    init(_ fallback: Fallback, at now: Date) {
        self.now = now
        latest = now.addingTimeInterval(-(fallback.after / .seconds(1)))
    }

    /// Whether a fallback may follow a run now, as far as the run's record says.
    func follows(_ run: RunRecord) -> Bool {
        run.started <= latest && willFollow(run)
    }

    /// Whether a fallback may follow a run now or later, as far as the run's record says.
    func willFollow(_ run: RunRecord) -> Bool {
        guard run.canBeFollowed(at: now) else { return false }
        return run.finished.map { $0.addingTimeInterval(Self.latestStart) > latest } ?? true
    }

    /// Whether the run's record alone says that all its pushes were accepted early enough; if not, its deliveries have to be looked at.
    func isOver(_ run: RunRecord) -> Bool {
        run.finished.map { $0 <= latest } ?? false
    }
}

extension RunRecord {
    /// Whether a fallback can follow: the run can be fetched, nothing of it is being sent, and it has made requests since its last
    /// fallback.
    ///
    /// - Parameter now: the current time.
    func canBeFollowed(at now: Date) -> Bool {
        guard kind.isSilent, !isRehearsal, occurrence.fallbackOf == nil, revoked == nil,
            expires > now, requests > fallbackRequests
        else { return false }
        return switch state {
        case .finished: true
        // People whose turn has come are sent to first.
        case .waiting: resumes.map { $0 > now } ?? false
        case .staging, .running, .paused, .stopped: false
        }
    }
}

/// The runs of a campaign that a fallback is to follow.
package struct DueFallbacks: Sendable {
    /// The runs whose fallback is due, the earliest first.
    package let due: [RunRecord]
    /// The runs whose fallback would be due, but of which nobody has fetched anything: devices seem unable to fetch.
    package let unfetched: [RunRecord]

    /// No fallback is due.
    static let none = DueFallbacks(due: [], unfetched: [])

    private init(due: [RunRecord], unfetched: [RunRecord]) {
        self.due = due
        self.unfetched = unfetched
    }

    /// Looks the runs up.
    ///
    /// Runs that have expired, or whose fallback is done, are not read.
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
            // Whoever asked for a stop wants nothing more of the run, even if it had finished before.
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

    /// The finished runs of a campaign that a fallback is still to follow, the earliest first.
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

    /// Warns whoever looks after the campaign that nobody has fetched what a run sent.
    ///
    /// - Parameter run: one of ``unfetched``.
    package static func warning(about run: RunRecord) -> String {
        "Campaign \(run.campaign): nobody has fetched anything of run \(run.id), so no fallback follows it: "
            + "devices may be unable to reach the app backend. Check that `hubsend serve` is up and uses this "
            + "store; once somebody has fetched, the fallback follows by itself."
    }
}

extension RunLedger {
    /// The occurrence of the next fallback of a run; the run must not have changed since the fallback was planned.
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
