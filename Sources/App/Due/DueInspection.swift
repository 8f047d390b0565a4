import CampaignCore
import CampaignFormat
import Delivery
import Files
import Foundation
import Storage
import Synchronization

/// Finds the due work of a group's campaigns, and reports runs that are waiting for a person.
final class DueInspection: Sendable {
    private let store: any Store
    private let reporter: ObstacleReporter
    /// The absolute paths of the folders that were searched for the group's campaigns.
    private let folders: [String]
    private let now: @Sendable () -> Date
    private let noted = Mutex<[DueGroup.Upcoming]>([])

    private var memory: TroubleMemory { reporter.memory }

    init(
        foundIn folders: [String], in store: any Store, reporter: ObstacleReporter,
        now: @escaping @Sendable () -> Date
    ) {
        self.folders = folders
        self.store = store
        self.reporter = reporter
        self.now = now
    }

    var upcoming: [DueGroup.Upcoming] { noted.withLock(\.self) }

    /// - Returns: whether anything is due, and how the reported runs ended.
    func inspect(
        _ members: [DueMember], at hub: HubIdentity
    ) async throws -> (isDue: Bool, ends: [CampaignEnd]) {
        var isDue = false
        var ends = try await reportLostRuns(besides: members, at: hub)
        for member in members {
            let found = try await steps(of: member, at: hub)
            ends += found.ends
            isDue = isDue || !found.steps.isEmpty
        }
        return (isDue, ends)
    }

    /// Returns the due steps of a campaign, and how its reported runs ended.
    ///
    /// If another process is working on the campaign, nothing is due, and the campaign's problems
    /// remain unresolved.
    func steps(
        of member: DueMember, at hub: HubIdentity
    ) async throws -> (steps: [DueWork.Step], ends: [CampaignEnd]) {
        let campaign = member.campaign
        let work = try await DueWork(of: campaign, at: hub, in: store, now: now())
        if let start = work.nextStart, member.lack == nil {
            noted.withLock { $0.append(DueGroup.Upcoming(campaign: campaign.name, date: start)) }
        }
        let subject = Trouble.Subject.runs(of: campaign.name, at: hub)
        // Only runs at the same host are considered, where a hub's name may have been corrected;
        // the hub of another config may not exist yet.
        let lost = try await store.runsAtMissingHubs(of: campaign.name, besides: hub)
            .filter { $0.hub.host == hub.host }
        guard
            !work.unfinished.isEmpty || !work.steps.isEmpty || !work.unfetched.isEmpty
                || work.missed != nil || !lost.isEmpty
        else {
            await memory.settle(subject)
            return ([], [])
        }
        guard try await !store.isWorkedOn(campaign: campaign.name) else { return ([], []) }
        try await work.endExpired(in: store, lock: store.campaignLock, at: now())
        await memory.settle(subject)
        for run in work.unfinished { await memory.noteOpen(subject, part: run.id.text) }
        let waiting = work.unfinished.filter { $0.waits(at: now()) }.compactMap(\.resumes)
        noted.withLock {
            $0 += waiting.map {
                DueGroup.Upcoming(campaign: campaign.name, date: $0, isWave: true)
            }
        }
        var ends = await report(of: work, for: member, at: hub)
        for run in lost {
            let isDue = work.steps.contains(.begin(run.occurrence))
            let words = isDue ? nil : RunContinuation.words(toBeginAnew: run)
            let isEnded = try await store.endAtMissingHub(
                run, for: hub, command: words.map { reporter.call.settings.commandForm($0) })
            if isEnded, !isDue { ends.append(.troubled) }
        }
        return (work.steps, ends)
    }

    private func report(
        of work: DueWork, for member: DueMember, at hub: HubIdentity
    ) async -> [CampaignEnd] {
        var ends: [CampaignEnd] = []
        if let missed = work.missed,
            await memory.isNews(Trouble(missed: missed, of: member.campaign.name, at: hub))
        {
            reporter.call.watch.expect([member.campaign.name])
            reporter.call.sayMissed(missed, of: member.campaign, in: member.source.loaded.path)
            ends.append(.troubled)
        }
        for run in work.waiting where await memory.isNews(Trouble(run)) {
            reporter.call.watch.expect([run.campaign])
            reporter.call.sayWaiting(run)
            let pause = PauseCause(run.pause ?? .person)
            ends.append(run.state == .stopped ? .stopped : .paused(pause))
        }
        for run in work.unfetched where await memory.isNews(Trouble(unfetched: run)) {
            Console.complain("hubsend: warning: \(DueFallbacks.warning(about: run))")
        }
        return ends
    }

    /// Reports runs that cannot continue because their campaign's file is no longer in a searched
    /// folder.
    private func reportLostRuns(
        besides members: [DueMember], at hub: HubIdentity
    ) async throws -> [CampaignEnd] {
        for folder in folders { await memory.settle(.lostRuns(beneath: folder, at: hub)) }
        let known = Set(members.map(\.campaign.name))
        var ends: [CampaignEnd] = []
        for run in try await store.unfinished(campaign: nil, at: hub)
        where !known.contains(run.campaign) {
            guard let folder = folderThatLost(run) else { continue }
            let trouble = Trouble(lost: run, beneath: folder)
            guard try await !store.isWorkedOn(campaign: run.campaign) else {
                await memory.noteOpen(trouble.subject, part: trouble.part)
                continue
            }
            guard await memory.isNews(trouble) else { continue }
            reporter.call.watch.expect([run.campaign])
            reporter.call.sayFileIsGone(run)
            ends.append(.unfinished)
        }
        return ends
    }

    /// The searched folder from which an unfinished run's campaign file has disappeared, if any.
    ///
    /// A file outside the searched folders may belong to another host or another crontab line.
    private func folderThatLost(_ run: RunRecord) -> String? {
        guard run.continuesByItself, run.campaignPath != "-" else { return nil }
        let path = Path.cleaned(run.campaignPath)
        guard let folder = folders.first(where: { Path.relative(path, to: $0) != nil }) else {
            return nil
        }
        return FileManager.default.fileExists(atPath: path) ? nil : folder
    }
}

extension RunRecord {
    /// Whether continuing the run now would send nothing because its next wave is not due.
    func waits(at now: Date) -> Bool {
        state == .waiting && (resumes.map { $0 > now } ?? false)
    }
}
