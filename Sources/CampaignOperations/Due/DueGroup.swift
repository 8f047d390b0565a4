import CampaignCore
import CampaignFormat
import Delivery
import Files
import Foundation
import Settings
import Storage
import Synchronization

/// Campaigns of one config and store, of which what is due is done.
final class DueGroup: Sendable {
    /// What comes next of a campaign by itself: a start, or the next wave of a run.
    struct Coming: Sendable {
        let campaign: String
        let date: Date
        /// Whether a run that is there goes on, since somebody's turn comes then.
        var isWave = false
    }

    private let name: String
    /// The folders that were searched, absolute.
    private let folders: [String]
    private let settings: EffectiveSettings
    private let order: DueRuns.Order
    private let means: DueRuns.Means
    private let now: @Sendable () -> Date
    private let batch: RunBatch
    private let watch: RunWatch
    /// Whether who watches over runs was told that work began.
    private let hasBegun = Mutex(false)
    /// Whether they were told how it ended.
    private let isTold = Mutex(false)

    private var output: RunOutput { batch.output }
    private var invocation: Invocation { settings.invocation }

    /// - Parameters:
    ///   - name: what the group is remembered by.
    ///   - folders: those that are searched for campaigns.
    ///   - settings: those of its campaigns.
    ///   - order: how it is asked for.
    ///   - means: what the executable lends it.
    ///   - now: the time of day.
    init(
        named name: String, foundIn folders: [String], settings: EffectiveSettings,
        order: DueRuns.Order, means: DueRuns.Means, now: @escaping @Sendable () -> Date
    ) {
        self.name = name
        self.folders = folders.map { Path.cleaned(settings.invocation.absolute($0)) }
        self.settings = settings
        self.order = order
        self.means = means
        self.now = now
        watch = RunWatch(settings, as: means.program, logger: means.logger, now: now)
        batch = RunBatch(
            settings: settings, asks: order.asks,
            output: RunOutput(
                settings: settings, isJSON: order.isJSON, isQuiet: order.isQuiet,
                explain: means.explain), logger: means.logger,
            watch: watch)
    }

    /// Does what is due.
    ///
    /// - Parameter hits: the files; of those that a search found, what is no campaign is passed over.
    /// - Returns: how it ended with what was worked on or told, and what comes next of any.
    func work(on hits: [CampaignSearch.Hit]) async -> (ends: [CampaignEnd], next: Coming?) {
        let (members, obstacles) = await DueMember.read(hits, settings)
        let time = now()
        let starts = members.filter { $0.lack == nil }.compactMap { member in
            member.campaign.schedule?.next(after: time).map {
                Coming(campaign: member.campaign.name, date: $0)
            }
        }
        func next(_ waves: [Coming]) -> Coming? { (starts + waves).min { $0.date < $1.date } }
        // Where nothing was ever sent and nothing has a schedule, no store is left behind.
        let isWanted =
            !obstacles.isEmpty
            || members.contains { $0.campaign.schedule != nil || $0.lack != nil }
        if !isWanted, await !settings.store.isThere() { return ([], next([])) }
        let (ends, waves) = await prepare(members, besides: obstacles)
        await tellWatch(ends)
        return (ends, next(waves))
    }

    /// Tells who watches over runs how it ended, once.
    private func tellWatch(_ ends: [CampaignEnd]) async {
        // A call that finds nothing to do says nothing: a heartbeat tells of runs, and not that cron is alive.
        guard !ends.isEmpty || hasBegun.withLock(\.self) else { return }
        let wasTold = isTold.withLock { told in
            defer { told = true }
            return told
        }
        if !wasTold { await watch.end(code: means.code(ends)) }
    }

    /// Finds hub and store, and does what is due with them.
    private func prepare(
        _ members: [DueMember], besides obstacles: [DueObstacle]
    ) async -> (ends: [CampaignEnd], waves: [Coming]) {
        let lacks = members.compactMap(\.lack)
        let hub: HubChoice
        let identity: HubIdentity?
        let options: StoreOptions
        do {
            hub = try settings.requiredHub()
            identity = try hub.identity(for: means.program)
            // Before there is a store where none may be.
            if let identity {
                try settings.requireStorePlace(
                    forHubAt: identity.host, isLoopback: identity.isOnThisMachine)
            }
            options = try await settings.storeOptions(
                clearing: output.bar, logger: means.logger)
        } catch {
            let memory = await TroubleMemory.kept(
                inStoreAt: settings.store, isMade: settings.configPath != nil, invocation,
                now: now)
            // Where there is nothing to send, as of a path with a slip in it, it is no matter what its folder lacks.
            let lack =
                members.count == lacks.count ? [] : [DueObstacle(.settings(name), error)]
            return (await teller(memory).tell(obstacles + lacks + lack), [])
        }
        let store: any Store
        do {
            store = try await settings.store.open(options)
        } catch {
            // Where the store is what is wrong, nothing remembers that it was said.
            let memory = TroubleMemory(nil, isAtTerminal: true, now: now)
            let obstacle = DueObstacle(.settings(name), error)
            return (await teller(memory).tell(obstacles + lacks + [obstacle]), [])
        }
        let teller = teller(
            TroubleMemory(store, isAtTerminal: invocation.isErrorTerminal, now: now))
        let inspection = DueInspection(foundIn: folders, in: store, teller: teller, now: now)
        var ends = await teller.tell(obstacles)
        await teller.memory.settle(.settings(name))
        do {
            var able: [DueMember] = []
            for member in members {
                if let obstacle = try await member.obstacle(in: store) {
                    ends += await teller.tell([obstacle])
                } else {
                    let path = invocation.absolute(member.source.loaded.path)
                    await teller.memory.settle(.file(path))
                    able.append(member)
                }
            }
            let members = able
            var isDue = true
            if let identity {
                let found = try await inspection.inspect(members, at: identity)
                ends += found.ends
                isDue = found.isDue
            }
            if isDue {
                ends += await connect(
                    to: hub, for: members, isInspected: identity != nil, store, inspection, teller)
            }
            if !ends.contains(where: \.isInterrupted) {
                // What is old may take a while to delete, and the runs are over.
                await tellWatch(ends)
                _ = try await Retention.apply(settings, to: store, now: now())
            }
            try await teller.memory.forgetWhatIsOver()
            try store.close()
        } catch {
            ends.append(output.failed(error))
        }
        return (ends, inspection.comingWaves)
    }

    private func teller(_ memory: TroubleMemory) -> ObstacleTeller {
        ObstacleTeller(output: output, watch: watch, invocation: invocation, memory: memory)
    }

    /// Connects to the hub and sends.
    private func connect(
        to hub: HubChoice, for members: [DueMember], isInspected: Bool, _ store: any Store,
        _ inspection: DueInspection, _ teller: ObstacleTeller
    ) async -> [CampaignEnd] {
        do {
            let ends = try await means.connect(hub, output) { [self] connection in
                try settings.requireStorePlace(for: connection)
                var ends: [CampaignEnd] = []
                if !isInspected {
                    let found = try await inspection.inspect(members, at: connection.identity)
                    ends += found.ends
                    guard found.isDue else { return ends }
                }
                hasBegun.withLock { $0 = true }
                let sending = DueSending(
                    batch: batch, connection: connection, store: store, inspection: inspection,
                    teller: teller,
                    isAsked: order.asks && invocation.isInputTerminal
                        && invocation.isErrorTerminal && !connection.isLoopback)
                let work = { await sending.send(members) }
                return ends + (await watch.during(work))
            }
            await teller.memory.settle(.connection(name))
            return ends
        } catch {
            if error is CancellationError { return [output.failed(error)] }
            return await teller.tell([DueObstacle(.connection(name), error)])
        }
    }
}

extension HubIdentity {
    /// Whether it is a hub on this machine, or in this process, to which no store has to be settled.
    fileprivate var isOnThisMachine: Bool {
        host == HubChoice.embeddedHost || host == "127.0.0.1"
    }
}
