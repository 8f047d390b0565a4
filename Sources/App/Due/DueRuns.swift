import CampaignCore
import CampaignFormat
import Delivery
import Files
import Foundation
import Logging

/// Does the due work of all campaigns in some files and folders: `hubsend run --due`.
///
/// Campaigns are grouped by config and store. A problem in one group does not affect other groups.
/// The output is the same as for `run`. A persistent problem is reported once, then again if it
/// changes or a day has passed. An exit code other than 0 comes with a message. Failed runs and
/// empty paths affect the exit code of every call, but are reported only once a day.
struct DueRuns: Sendable {
    typealias Connect =
        @Sendable (
            RunCall, HubChoice, @escaping @Sendable (HubConnection) async throws -> [CampaignEnd]
        ) async throws -> [CampaignEnd]

    let flags: SettingFlags
    let invocation: Invocation
    let order: RunOptions
    var now: @Sendable () -> Date = { Date() }
    var machine = StoreMachine.current()
    /// Connects to a hub and does the given work; a signal ends the work cleanly.
    var connect: Connect = { try await $0.connect(to: $1, $2) }

    /// Does the due work of campaign files and folders, by default of the current folder; returns
    /// an empty result if nothing was due.
    func work(on paths: [String]) async -> [CampaignEnd] {
        let search = CampaignSearch(paths.isEmpty ? ["."] : paths)
        let isOnly = search.paths.count == 1
        var errors = search.paths.compactMap { DuePathError($0, isOnly: isOnly) }
        let hits = CampaignSearch(
            search.paths.filter { path in !errors.contains { $0.path == path } }
        ).files()
        errors += search.folders.filter { folder in
            !errors.contains { $0.path == folder } && !hasCampaign(folder, among: hits)
        }.map { DuePathError(emptyFolder: $0, isOnly: isOnly) }
        let found = Dictionary(hits.map { (Array($0.path.utf8), $0) }) { first, _ in first }
        let groups = CampaignGroup.groups(of: hits.map(\.path), flags, invocation: invocation)
        var ends = await report(errors, besides: search.paths)
        var upcoming: [DueGroup.Upcoming] = []
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
                if let next = outcome.next { upcoming.append(next) }
            case .failure(let error):
                ends += await report(error, of: group)
            }
            if ends.contains(where: \.isInterrupted) { break }
        }
        if ends.isEmpty { sayNothingIsDue(next: upcoming.min { $0.date < $1.date }) }
        return ends
    }

    /// Whether a search of a folder found a campaign or a file that cannot be read.
    private func hasCampaign(
        _ folder: String, among hits: [CampaignSearch.Hit]
    ) -> Bool {
        let folder = Path.resolved(invocation.absolute(folder))
        return hits.contains { hit in
            Path.relative(Path.resolved(invocation.absolute(hit.path)), to: folder) != nil
                && CampaignFolder.mayBeCampaign(hit.path)
        }
    }

    /// Reports paths in which no campaign can be found, each path once a day.
    private func report(_ errors: [DuePathError], besides paths: [String]) async -> [CampaignEnd] {
        let memory = TroubleMemory(
            TroubleFolder(invocation), isAtTerminal: invocation.isErrorTerminal, now: now)
        func subject(_ path: String) -> Trouble.Subject {
            .path(Path.cleaned(invocation.absolute(path)))
        }
        for path in paths where path != "-" { await memory.settle(subject(path)) }
        for error in errors where await memory.isNews(Trouble(subject(error.path), error)) {
            order.explain(error)
        }
        do {
            try await memory.forgetResolved()
        } catch {
            // If a problem recurs after this failure, it is not reported until a day has passed.
            order.logger.notice(
                "Resolved problems could not be removed from the record")
        }
        return errors.map { .failed($0) }
    }

    /// Reports invalid settings of a group; as a result, its store may not be known.
    private func report(_ error: any Error, of group: CampaignGroup) async -> [CampaignEnd] {
        let memory = await TroubleMemory.kept(
            inStoreAt: group.probableStore, isMade: false, invocation, now: now)
        guard await memory.isNews(Trouble(.settings(group.name), error)) else { return [] }
        order.explain(error)
        return [.failed(error)]
    }

    /// Tells a person at a terminal that nothing was due.
    private func sayNothingIsDue(next: DueGroup.Upcoming?) {
        guard invocation.isErrorTerminal, !order.isQuiet, !order.isJSON else { return }
        Console.complain(Self.nothingIsDue(next: next, at: now()))
    }

    static func nothingIsDue(next: DueGroup.Upcoming?, at now: Date) -> String {
        guard let next else { return "Nothing is due, and no further start is scheduled." }
        let what =
            next.isWave
            ? "Next, campaign \(next.campaign) continues at"
            : "Next, campaign \(next.campaign) starts at"
        return """
            Nothing is due. \(what) \(UTCTime.readable(next.date)), in \
            \(Figures.duration(from: now, to: next.date)).
            """
    }
}
