package import CampaignCore
package import FoundationEssentials

/// The `delivery.fallback` key: which runs a fallback may follow, and when.
///
/// A fallback is sent only while nothing else of the run is being sent, so it covers everybody who
/// has been reached so far. A run with waves may have a fallback after each wave.
struct FallbackRule: Sendable {
    /// How late a fallback may be sent, in seconds.
    ///
    /// Because of this limit, adding the key to a campaign sends nothing to the people of old runs.
    private static let latestStart = 86_400.0

    /// The latest acceptance time; people whose push was accepted later still have time to fetch.
    let latest: Date
    private let now: Date

    init(_ fallback: Fallback, at now: Date) {
        self.now = now
        latest = now.addingTimeInterval(-(fallback.after / .seconds(1)))
    }

    /// Whether a fallback may follow now, judging by the run's record.
    func follows(_ run: RunRecord) -> Bool {
        run.started <= latest && willFollow(run)
    }

    /// Whether a fallback may follow now or later, judging by the run's record.
    func willFollow(_ run: RunRecord) -> Bool {
        guard run.canBeFollowed(at: now) else { return false }
        return run.finished.map { $0.addingTimeInterval(Self.latestStart) > latest } ?? true
    }

    /// Whether the record alone shows that all pushes were accepted early enough.
    func isOver(_ run: RunRecord) -> Bool {
        run.finished.map { $0 <= latest } ?? false
    }
}

extension RunRecord {
    /// Whether the run can be fetched, is not being sent, and has made requests since its last
    /// fallback.
    func canBeFollowed(at now: Date) -> Bool {
        guard kind.isSilent, !isRehearsal, occurrence.fallbackOf == nil, revoked == nil,
            expires > now, requests > fallbackRequests
        else { return false }
        return switch state {
        case .finished: true
        // A due wave goes first.
        case .waiting: resumes.map { $0 > now } ?? false
        case .staging, .running, .paused, .stopped: false
        }
    }
}

package struct DueFallbacks: Sendable {
    /// Runs whose fallback is due, earliest first.
    package private(set) var due: [RunRecord] = []
    /// Runs whose payload nobody has fetched, so devices may be unable to fetch.
    package private(set) var unfetched: [RunRecord] = []

    /// Runs that have expired or whose fallbacks are complete are not read.
    init(
        of campaign: Campaign, at hub: HubIdentity, in ledger: any RunHistory, now: Date
    ) async throws {
        guard let fallback = campaign.fallback else { return }
        let rule = FallbackRule(fallback, at: now)
        for run in try await ledger.followable(campaign: campaign.name, at: hub, now: now)
        where rule.follows(run) {
            guard try await ledger.isWanted(run) else { continue }
            if !rule.isOver(run), try await ledger.hasAccepted(run.id, after: rule.latest) {
                continue
            }
            if try await ledger.isFetched(run.id) {
                due.append(run)
            } else {
                unfetched.append(run)
            }
        }
    }

    /// Finished runs that still expect a fallback, earliest first.
    package static func expected(
        of campaign: Campaign, at hub: HubIdentity, in ledger: any RunHistory, now: Date
    ) async throws -> [RunRecord] {
        guard let fallback = campaign.fallback else { return [] }
        let rule = FallbackRule(fallback, at: now)
        var expected: [RunRecord] = []
        for run in try await ledger.followable(campaign: campaign.name, at: hub, now: now)
        where run.state == .finished && rule.willFollow(run) {
            if try await ledger.isWanted(run) { expected.append(run) }
        }
        return expected
    }

    package static func warning(about run: RunRecord) -> String {
        "Campaign \(run.campaign): nobody has fetched anything from run \(run.id), "
            + "so its fallback is not sent: "
            + "devices may be unable to reach the app backend. Check that the backend is running and uses "
            + "this store. Once somebody has fetched, the fallback is sent automatically."
    }
}

extension RunHistory {
    /// Whether a run reached anybody and was not stopped.
    ///
    /// A stop request means that nothing more of the run should be sent, even if it has finished.
    fileprivate func isWanted(_ run: RunRecord) async throws -> Bool {
        guard try await stopRequest(run.id) == nil else { return false }
        return try await hasAccepted(run.id, after: nil)
    }

    /// The occurrence of a run's next fallback; call while holding the campaign's lock.
    ///
    /// Throws ``RunError/fallbackIsGone(campaign:of:)`` if the run has changed since planning.
    func nextFallback(
        of parent: RunRecord, for request: RunRequest, at now: Date
    ) async throws -> Occurrence {
        let name = request.campaign.name
        guard let run = try await run(parent.id), run.campaign == name, run.hub == request.hub,
            run.requests == parent.requests, run.canBeFollowed(at: now),
            try await stopRequest(run.id) == nil
        else { throw RunError.fallbackIsGone(campaign: name, of: parent.id) }
        let known = try await fallbacks(of: run).map(\.occurrence)
        var number = 1
        while known.contains(.fallback(of: run.id, number: number)) { number += 1 }
        return .fallback(of: run.id, number: number)
    }
}
