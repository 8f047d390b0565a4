import CampaignCore
import CampaignFormat
import Delivery
import Foundation
import ProcessControl
import Storage

/// The error if the audience of a campaign cannot be determined, which does not affect other
/// campaigns.
struct AudienceUnknown: Refusal, CustomStringConvertible {
    let description: String
    let status: ExitStatus

    init(_ sentence: String, status: ExitStatus = .configuration) {
        description = sentence
        self.status = status
    }
}

/// Where to find the people of earlier runs that an audience names or excludes.
enum EarlierRuns: Sendable {
    /// Nowhere: the check does not open a store, and reports what it did not check.
    case unread
    /// In a store, among runs at a hub; nil if there is no store or the hub is unknown.
    ///
    /// A preview does not upgrade an older store, so it cannot read that store's runs. An error of
    /// the store or the hub is reported only if they are needed.
    case read(Result<(any RunHistory)?, any Error>, at: Result<HubIdentity?, any Error>)

    /// The maximum number of runs that are searched for a similar name, newest first.
    private static let mostLookedAt = 1_000

    var areRead: Bool { if case .unread = self { false } else { true } }

    /// The ledger that records who was forgotten; nil if there is no store or it has an older
    /// version.
    var ledger: (any RunHistory)? {
        if case .read(.success(let ledger), _) = self { ledger } else { nil }
    }

    /// The people of earlier runs.
    struct Found {
        var named: [PeopleOfRun] = []
        var excluded: [PeopleOfRun] = []
        /// A remark for each optional exclusion of a campaign without a finished run.
        var unknown: [PreviewRemark] = []
    }

    /// Finds the people of earlier runs that a campaign names and excludes.
    ///
    /// For a misspelt name, campaign files in `folder` are suggested. A fallback goes to people of
    /// the campaign's own last run, so an exclusion of that run is ignored.
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
                A preview does not connect to a hub or run commands, so it does not know which \
                hub's runs the audience of campaign \(campaign.name) refers to. Set \
                HUBSEND_HUB_CONNECTION_STRING (or _FILE) and HUBSEND_HUB_NAME.
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
                Campaign \(campaign.name) excludes the people of campaign \(run.campaign), whose \
                run \(run.id) is not finished (\(run.state.rawValue)), so it is not yet known who \
                they are. Run this command again when that run has ended.\(finish)
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
                        Campaign \(campaign.name) excludes the people of the last run of campaign \(other), but \(other) \
                        has no finished run on hub \(hub), so it is not known who they are.\(question) Check the name \
                        and the hub: `hubsend runs` lists the runs. Only if \(other) may not have been sent yet, write \
                        `runs: [{ campaign: \(other), optional: true }]`.
                        """
                        : """
                        The audience of campaign \(campaign.name) includes the people of campaign \(other)'s last run, but \
                        \(other) has no finished run on hub \(hub); `hubsend runs` lists its runs.\(question) Finish one \
                        first, or remove \(other) from `runs`.
                        """)
            }
            found.unknown.append(.unknownRun(of: other, near: near))
        }
        return found
    }

    /// A campaign in the store or the folder with a similar name; nil if one has exactly this name.
    private func nearest(
        to name: String, in folder: String, _ ledger: (any RunHistory)?
    ) async throws -> String? {
        let sent = try await ledger?.runs(campaign: nil, limit: Self.mostLookedAt) ?? []
        let known = Set(sent.map(\.campaign) + NearbyCampaigns.names(in: folder)).sorted()
        return known.contains(name) ? nil : NearestName.nearest(to: name, among: known)
    }

    /// The times of earlier sendings of a campaign with a local time, by time zone.
    ///
    /// A person gets such a campaign at most once a day. Empty if there is no local time, no store
    /// or no known hub.
    func sendTimes(of campaign: Campaign, at now: Date) async throws -> [String: [Int]] {
        guard campaign.sendTimes?.localTime != nil, let ledger, case .read(_, let place) = self,
            let hub = try place.get()
        else { return [:] }
        return try await ledger.earlierSendTimes(of: campaign.name, at: hub, before: now)
    }

    private func people(
        of selection: RunSelection, for campaign: Campaign, at hub: HubIdentity,
        in ledger: (any RunHistory)?, isExclusion: Bool
    ) async throws -> [PeopleOfRun] {
        guard let ledger else { return [] }
        let found = try await PeopleOfRun.last(
            selection, hasFollowUps: isExclusion, at: hub, in: ledger)
        for people in found {
            guard let time = try await ledger.run(people.run)?.deliveriesDeleted else { continue }
            throw AudienceUnknown(
                """
                Campaign \(campaign.name) names people of the last run of campaign \(selection.campaign) under `runs`, but \
                the recipients of that run, \(people.run), were deleted on \(UTCTime.readable(time)), as `retention` in \
                the config says. Name these people in a file instead.
                """)
        }
        return found
    }
}
