import CampaignCore
import CampaignFormat
import Delivery
import Files
import Foundation
import Settings
import Storage
import Synchronization

/// Does what is due of the campaigns of one config and store.
final class DueGroup: Sendable {
    /// What a campaign does next by itself: it starts, or the next wave of a run opens.
    struct Coming: Sendable {
        let campaign: String
        let date: Date
        /// Whether it is the next wave of a standing run.
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
    /// Whether those who watch over runs were told that work began.
    private let hasBegun = Mutex(false)
    /// Whether they were told how it ended.
    private let isTold = Mutex(false)

    private var output: RunOutput { batch.output }
    private var invocation: Invocation { settings.invocation }

    /// - Parameters:
    ///   - name: the name by which the group is remembered.
    ///   - folders: the folders that are searched for campaigns.
    ///   - settings: the settings of its campaigns.
    ///   - order: how the command was asked for.
    ///   - means: what the executable lends.
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
    /// - Parameter hits: the files; files that a search found and that are not campaigns are passed over.
    /// - Returns: how each piece of work or news ended, and what comes next.
    func work(on hits: [CampaignSearch.Hit]) async -> (ends: [CampaignEnd], next: Coming?) {
        let (members, obstacles) = await DueMember.read(hits, settings)
        // If nothing was ever sent and nothing has a schedule, no store is made.
        let isWanted =
            !obstacles.isEmpty
            || members.contains { $0.campaign.schedule != nil || $0.lack != nil }
        if !isWanted, await !settings.store.isThere() { return ([], nil) }
        let (ends, coming) = await prepare(members, besides: obstacles)
        await tellWatch(ends)
        return (ends, coming.min { $0.date < $1.date })
    }

    /// Tells those who watch over runs once how the work ended.
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
    ) async -> (ends: [CampaignEnd], coming: [Coming]) {
        let lacks = members.compactMap(\.lack)
        let hub: HubChoice
        let identity: HubIdentity?
        let options: StoreOptions
        do {
            hub = try settings.requiredHub()
            identity = try hub.identity(for: means.program)
            // This comes before a store is made in a place where none may be.
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
            // If there is nothing to send, as when a path has a slip in it, what its folder lacks does not matter.
            let lack =
                members.count == lacks.count ? [] : [DueObstacle(.settings(name), error)]
            return (await teller(memory).tell(obstacles + lacks + lack), [])
        }
        let store: any Store
        do {
            store = try await settings.store.open(options)
        } catch {
            // If the store itself is the trouble, nothing can remember that this was said.
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
            if members.contains(where: { $0.campaign.schedule != nil }),
                let path = settings.store.file
            {
                try StoreMachine(besideStoreAt: path).claim(for: StoreMachine.current())
            }
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
            if members.contains(where: { $0.campaign.schedule != nil }) {
                let time = now()
                // Times are kept in milliseconds.
                let age = time.timeIntervalSince(try await store.began(now: time))
                if age < 0.001, !order.isQuiet {
                    output.sayNew(store.place, at: time)
                }
            }
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
                // The runs are over, and deleting old data may take a while: so this is told before.
                await tellWatch(ends)
                _ = try await Retention.apply(settings, to: store, now: now())
            }
            try await teller.memory.forgetWhatIsOver()
            try store.close()
        } catch let error as StoreElsewhere {
            // The exit code says it each time, and words once a day.
            let told = await teller.tell([DueObstacle(.settings(name), error)])
            ends += told.isEmpty ? [.failed(error)] : told
        } catch {
            ends.append(output.failed(error))
        }
        return (ends, inspection.coming)
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
    /// Whether the hub is on this machine, or in this process; such a hub needs no settled place for the store.
    fileprivate var isOnThisMachine: Bool {
        host == HubChoice.embeddedHost || host == "127.0.0.1"
    }
}
