import CampaignCore
import CampaignFormat
import Delivery
import Foundation
import ProcessControl
import Storage

/// It cannot be told who is in the audience of a campaign; other campaigns may be whole.
struct AudienceUnknown: Refusal, CustomStringConvertible {
    let description: String
    let status: ExitStatus

    init(_ sentence: String, status: ExitStatus = .configuration) {
        description = sentence
        self.status = status
    }
}

/// Where to find people of earlier runs that an audience names or excludes.
enum EarlierRuns: Sendable {
    /// Nowhere: the check opens no store, and says what it skipped.
    case unread
    /// In a store, in runs at a hub; nil: there is no store, or it is not known which hub.
    ///
    /// A preview does not bring an older store up to date, and cannot read its runs. What is wrong
    /// with store or hub counts only where they are needed.
    case read(Result<(any RunHistory)?, any Error>, at: Result<HubIdentity?, any Error>)

    /// How many runs are looked through for a similar name, the newest first.
    private static let mostLookedAt = 1_000

    var areRead: Bool { if case .unread = self { false } else { true } }

    /// The ledger that knows who was forgotten; nil also for an older store, which forgot nobody.
    var ledger: (any RunHistory)? {
        if case .read(.success(let ledger), _) = self { ledger } else { nil }
    }

    /// What an audience takes from earlier runs.
    struct Found {
        var named: [PeopleOfRun] = []
        var excluded: [PeopleOfRun] = []
        /// A remark for each optional exclusion without a run.
        var unknown: [PreviewRemark] = []
    }

    /// The people that a campaign names, and those it excludes; empty if not looked up.
    ///
    /// Campaign files in `folder` are offered for a misspelt name. A fallback goes to people of the
    /// campaign's own last run, so excluding them does not count.
    func people(
        for campaign: Campaign, in folder: String, isFallback: Bool, command: CommandForm
    ) async throws -> Found {
        let rule = campaign.audience
        let excluded = rule.excludedRuns.filter { !(isFallback && $0.campaign == campaign.name) }
        guard !rule.runs.isEmpty || !excluded.isEmpty else { return Found() }
        guard case .read(let store, let hub) = self else { return Found() }
        guard let hub = try hub.get() else {
            throw AudienceUnknown(
                """
                A preview asks no hub and runs no command, so it cannot tell from which hub's runs the audience of \
                campaign \(campaign.name) takes its people. Set HUBSEND_HUB_CONNECTION_STRING (or _FILE) and \
                HUBSEND_HUB_NAME.
                """)
        }
        let ledger = try store.get()
        for selection in excluded {
            guard let ledger,
                let run = try await PeopleOfRun.unsettled(
                    selection, for: campaign.name, at: hub, in: ledger)
            else { continue }
            let finish =
                run.waitsForPerson ? " To finish it: \(command(["resume", run.id.text]))" : ""
            throw AudienceUnknown(
                """
                Campaign \(campaign.name) leaves out the people of campaign \(run.campaign), whose run \(run.id) is not \
                finished (\(run.state.rawValue)), so it is not known yet who they are. When it has ended, give this \
                command again.\(finish)
                """, status: run.waitsForPerson ? .configuration : .tryAgain)
        }
        var found = Found()
        for (selection, isExclusion) in rule.runs.map({ ($0, false) })
            + excluded.map({ ($0, true) })
        {
            let people = try await people(
                of: selection, for: campaign, at: hub, in: ledger, isExclusion: isExclusion)
            if isExclusion { found.excluded += people } else { found.named += people }
            guard people.isEmpty else { continue }
            let other = selection.campaign
            let near = try await nearest(to: other, in: folder, ledger)
            guard selection.isOptional else {
                let question = near.map { " Did you mean \($0)?" } ?? ""
                throw AudienceUnknown(
                    isExclusion
                        ? """
                        Campaign \(campaign.name) leaves out the people of the last run of campaign \(other), and no run of \
                        \(other) on hub \(hub) is finished, so it is not known who they are.\(question) Check the name \
                        and the hub: `hubsend runs` lists the runs. Only if \(other) may not have run yet, write \
                        `runs: [{ campaign: \(other), optional: true }]`.
                        """
                        : """
                        The audience of campaign \(campaign.name) names the people of campaign \(other)'s last run, but \
                        no run of \(other) on hub \(hub) is finished; `hubsend runs` lists them.\(question) Finish one \
                        first, or take \(other) out of `runs`.
                        """)
            }
            found.unknown.append(.unknownRun(of: other, near: near))
        }
        return found
    }

    /// A campaign of the store, or of a file, with a similar name; nil if one has this name.
    private func nearest(
        to name: String, in folder: String, _ ledger: (any RunHistory)?
    ) async throws -> String? {
        let sent = try await ledger?.runs(campaign: nil, limit: Self.mostLookedAt) ?? []
        let known = Set(sent.map(\.campaign) + NearbyCampaigns.names(in: folder)).sorted()
        return known.contains(name) ? nil : NearestName.nearest(to: name, among: known)
    }

    /// Earlier turns in a campaign with a local time, which come once a day at most.
    ///
    /// None if they do not count, no store is opened or the hub is unknown.
    func turns(of campaign: Campaign, at now: Date) async throws -> [String: [Int]] {
        guard campaign.turns?.localTime != nil, let ledger, case .read(_, let place) = self,
            let hub = try place.get()
        else { return [:] }
        return try await ledger.earlierTurns(of: campaign.name, at: hub, before: now)
    }

    private func people(
        of selection: RunSelection, for campaign: Campaign, at hub: HubIdentity,
        in ledger: (any RunHistory)?, isExclusion: Bool
    ) async throws -> [PeopleOfRun] {
        guard let ledger else { return [] }
        let found = try await PeopleOfRun.last(
            selection, hasRests: isExclusion, at: hub, in: ledger)
        for people in found {
            guard let time = try await ledger.run(people.run)?.deliveriesDeleted else { continue }
            throw AudienceUnknown(
                """
                Campaign \(campaign.name) names people of the last run of campaign \(selection.campaign) under `runs`, but \
                the recipients of that run, \(people.run), were deleted on \(UTCTime.readable(time)), as the config's \
                `retention` says. Name these people in a file instead.
                """)
        }
        return found
    }
}
