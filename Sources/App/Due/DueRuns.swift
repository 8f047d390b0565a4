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
    /// Connects to a hub for some work, which a signal cancels.
    typealias Connect =
        @Sendable (
            HubChoice, RunOutput, @escaping @Sendable (HubConnection) async throws -> [CampaignEnd]
        ) async throws -> [CampaignEnd]

    struct Means: Sendable {
        let program: HubCaller
        let logger: Logger
        let connect: Connect
        let explain: @Sendable (any Error) -> Void
        let code: @Sendable ([CampaignEnd]) -> Int32

        init(
            program: HubCaller, logger: Logger, connect: @escaping Connect,
            explain: @escaping @Sendable (any Error) -> Void,
            code: @escaping @Sendable ([CampaignEnd]) -> Int32
        ) {
            self.program = program
            self.logger = logger
            self.connect = connect
            self.explain = explain
            self.code = code
        }
    }

    struct Order: Sendable {
        let asks: Bool
        let isJSON: Bool
        let isQuiet: Bool

        init(asks: Bool, isJSON: Bool, isQuiet: Bool) {
            self.asks = asks
            self.isJSON = isJSON
            self.isQuiet = isQuiet
        }
    }

    private let flags: SettingFlags
    private let invocation: Invocation
    private let order: Order
    private let means: Means
    private let now: @Sendable () -> Date
    /// nil: unknown.
    var machine = StoreMachine.current()

    init(
        flags: SettingFlags, invocation: Invocation, order: Order, means: Means,
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.flags = flags
        self.invocation = invocation
        self.order = order
        self.means = means
        self.now = now
    }

    /// - Parameter paths: campaign files, and folders to search; empty: the current folder.
    /// - Returns: how each piece of work or news ended; empty: nothing was due.
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
                let outcome = await DueGroup(
                    named: group.name, foundIn: search.folders, settings: settings,
                    order: order, means: means, machine: machine, now: now
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
            means.explain(fault)
        }
        do {
            try await memory.forgetWhatIsOver()
        } catch {
            // A trouble that is not forgotten is reported again a day later.
            means.logger.notice("What people were told of could not be forgotten")
        }
        return faults.map { .failed($0) }
    }

    /// Reports bad settings of a group; even its store may be unknown.
    private func tell(_ error: any Error, of group: CampaignGroup) async -> [CampaignEnd] {
        let memory = await TroubleMemory.kept(
            inStoreAt: group.probableStore, isMade: false, invocation, now: now)
        guard await memory.isNews(Trouble(.settings(group.name), error)) else { return [] }
        means.explain(error)
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

extension CampaignEnd {
    /// Whether a signal ended it, after which nothing else begins.
    var isInterrupted: Bool {
        switch self {
        case .interrupted, .paused(.cancelled): return true
        case .failed(let error):
            if case OperationFault.interrupted = error { return true }
            return error is CancellationError
        default: return false
        }
    }
}
