import CampaignCore
import CampaignFormat
import Delivery
import Files
package import Foundation
package import Logging
package import Settings
import Terminal

/// Does what is due of all campaigns in some files and folders: `hubsend run --due`.
///
/// Campaigns are worked on in groups, one for each config and store. What is wrong with one group does not keep another from being
/// sent. The command says what it did as `run` does. A lasting trouble is said once, and again when it changes or a day has gone by.
/// An exit code other than 0 comes with words, except for runs that were worked on and have not ended well, and for a path in which
/// nothing can be found: the code says so each time, and words once a day.
package struct DueRuns: Sendable {
    /// Connects to a hub for some work, which a signal cancels; the output belongs to the work.
    package typealias Connect =
        @Sendable (
            HubChoice, RunOutput, @escaping @Sendable (HubConnection) async throws -> [CampaignEnd]
        ) async throws -> [CampaignEnd]

    /// What the executable lends it.
    package struct Means: Sendable {
        let program: HubCaller
        let logger: Logger
        let connect: Connect
        let explain: @Sendable (any Error) -> Void
        let code: @Sendable ([CampaignEnd]) -> Int32

        /// - Parameters:
        ///   - program: how a hub sees the program.
        ///   - logger: where it logs.
        ///   - connect: connects to a hub.
        ///   - explain: says on stderr what failed, whichever room threw it.
        ///   - code: the exit code for the ends of campaigns.
        package init(
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

    /// How the command was asked for.
    package struct Order: Sendable {
        let asks: Bool
        let isJSON: Bool
        let isQuiet: Bool

        /// - Parameters:
        ///   - asks: whether a terminal is asked before pushes leave this machine.
        ///   - isJSON: whether stdout gets an object for each run that was worked on.
        ///   - isQuiet: whether only failures are told.
        package init(asks: Bool, isJSON: Bool, isQuiet: Bool) {
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

    /// - Parameters:
    ///   - flags: what flags say about config, store and reports.
    ///   - invocation: environment, current folder and streams.
    ///   - order: how the command was asked for.
    ///   - means: what the executable lends.
    ///   - now: the time of day.
    package init(
        flags: SettingFlags, invocation: Invocation, order: Order, means: Means,
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.flags = flags
        self.invocation = invocation
        self.order = order
        self.means = means
        self.now = now
    }

    /// Looks for what is due, and does it.
    ///
    /// - Parameter paths: campaign files, and folders that are searched for them; empty: the current folder.
    /// - Returns: how each piece of work or news ended; empty: nothing was due.
    package func work(on paths: [String]) async -> [CampaignEnd] {
        let search = CampaignSearch(paths.isEmpty ? ["."] : paths)
        let isOnly = search.paths.count == 1
        var faults = search.paths.compactMap { DuePathFault($0, isOnly: isOnly) }
        let hits = search.files().filter { hit in !faults.contains { $0.path == hit.path } }
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
                    order: order, means: means, now: now
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

    /// Says in which paths nothing can be found, each once a day; the exit code says it each time.
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
            // What is not forgotten is told again a day later.
            means.logger.notice("What people were told of could not be forgotten")
        }
        return faults.map { .failed($0) }
    }

    /// Says what is wrong with the settings of a group; not even its store is known for certain.
    private func tell(_ error: any Error, of group: CampaignGroup) async -> [CampaignEnd] {
        let memory = await TroubleMemory.kept(
            inStoreAt: group.probableStore, isMade: false, invocation, now: now)
        guard await memory.isNews(Trouble(.settings(group.name), error)) else { return [] }
        means.explain(error)
        return [.failed(error)]
    }

    /// Tells a person at a terminal that nothing was due, so that they need not wonder what the command did.
    private func sayNothingIsDue(next: DueGroup.Coming?) {
        guard invocation.isErrorTerminal, !order.isQuiet, !order.isJSON else { return }
        Console.complain(Self.nothingIsDue(next: next, at: now()))
    }

    /// The sentence that nothing is due, and what comes next.
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
    /// Whether a signal ended it, so that nothing else is begun.
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
