import CampaignCore
import CampaignFormat
import Delivery
import Files
import Foundation
import Logging

/// Does the due work of all campaigns in some files and folders: `hubsend run --due`.
///
/// Campaigns are grouped by config and store. A problem in one group does not stop another. Output
/// is that of `run`. A lasting trouble is reported once, and again when it changes or after a day.
/// An exit code other than 0 comes with words, except for runs that ended badly and for empty
/// paths: the code reports those each time, words once a day.
struct DueRuns: Sendable {
    typealias Connect =
        @Sendable (
            RunCall, HubChoice, @escaping @Sendable (HubConnection) async throws -> [CampaignEnd]
        ) async throws -> [CampaignEnd]

    let flags: SettingFlags
    let invocation: Invocation
    let order: RunOrder
    var now: @Sendable () -> Date = { Date() }
    /// nil: unknown.
    var machine = StoreMachine.current()
    /// Connects to a hub for some work, which a signal ends in order.
    var connect: Connect = { try await $0.connect(to: $1, $2) }

    /// Works on campaign files and folders, by default the current folder; no end: nothing was due.
    func work(on paths: [String]) async -> [CampaignEnd] {
        let search = CampaignSearch(paths.isEmpty ? ["."] : paths)
        let isOnly = search.paths.count == 1
        var faults = search.paths.compactMap { DuePathFault($0, isOnly: isOnly) }
        let hits = CampaignSearch(
            search.paths.filter { path in !faults.contains { $0.path == path } }
        ).files()
        faults += search.folders.filter { folder in
            !faults.contains { $0.path == folder } && !hasCampaign(folder, among: hits)
        }.map { DuePathFault(emptyFolder: $0, isOnly: isOnly) }
        let found = Dictionary(hits.map { (Array($0.path.utf8), $0) }) { first, _ in first }
        let groups = CampaignGroup.groups(of: hits.map(\.path), flags, invocation: invocation)
        var ends = await tell(faults, besides: search.paths)
        var coming: [DueGroup.Coming] = []
        for group in groups {
            let hits = group.paths.compactMap { found[Array($0.utf8)] }
            switch group.settings {
            case .success(let settings):
                let folders = search.folders.map { Path.cleaned(invocation.absolute($0)) }
                let outcome = await DueGroup(
                    name: group.name, folders: folders, call: RunCall(settings, order, now: now),
                    due: self
                ).work(on: hits)
                ends += outcome.ends
                if let next = outcome.next { coming.append(next) }
            case .failure(let error):
                ends += await tell(error, of: group)
            }
            if ends.contains(where: \.isInterrupted) { break }
        }
        if ends.isEmpty { sayNothingIsDue(next: coming.min { $0.date < $1.date }) }
        return ends
    }

    /// Whether a search found a campaign in a folder, or a file that cannot be read.
    private func hasCampaign(
        _ folder: String, among hits: [CampaignSearch.Hit]
    ) -> Bool {
        let folder = Path.resolved(invocation.absolute(folder))
        return hits.contains { hit in
            Path.relative(Path.resolved(invocation.absolute(hit.path)), to: folder) != nil
                && CampaignFolder.mayBeCampaign(hit.path)
        }
    }

    /// Names the paths where nothing can be found, each once a day.
    private func tell(_ faults: [DuePathFault], besides paths: [String]) async -> [CampaignEnd] {
        let memory = TroubleMemory(
            TroubleFolder(invocation), isAtTerminal: invocation.isErrorTerminal, now: now)
        func subject(_ path: String) -> Trouble.Subject {
            .path(Path.cleaned(invocation.absolute(path)))
        }
        for path in paths where path != "-" { await memory.settle(subject(path)) }
        for fault in faults where await memory.isNews(Trouble(subject(fault.path), fault)) {
            order.explain(fault)
        }
        do {
            try await memory.forgetWhatIsOver()
        } catch {
            // A trouble that is not forgotten is reported again a day later.
            order.logger.notice("What people were told of could not be forgotten")
        }
        return faults.map { .failed($0) }
    }

    /// Reports bad settings of a group; even its store may be unknown.
    private func tell(_ error: any Error, of group: CampaignGroup) async -> [CampaignEnd] {
        let memory = await TroubleMemory.kept(
            inStoreAt: group.probableStore, isMade: false, invocation, now: now)
        guard await memory.isNews(Trouble(.settings(group.name), error)) else { return [] }
        order.explain(error)
        return [.failed(error)]
    }

    /// Tells a person at a terminal that nothing was due.
    private func sayNothingIsDue(next: DueGroup.Coming?) {
        guard invocation.isErrorTerminal, !order.isQuiet, !order.isJSON else { return }
        Console.complain(Self.nothingIsDue(next: next, at: now()))
    }

    static func nothingIsDue(next: DueGroup.Coming?, at now: Date) -> String {
        guard let next else { return "Nothing is due. No campaign has another start." }
        let what =
            next.isWave
            ? "Next, a run of campaign \(next.campaign) goes on at"
            : "Next is campaign \(next.campaign) at"
        return """
            Nothing is due. \(what) \(UTCTime.readable(next.date)), in \
            \(Figures.duration(from: now, to: next.date)).
            """
    }
}
