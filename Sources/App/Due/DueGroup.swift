import CampaignCore
import CampaignFormat
import Delivery
import Files
import Foundation
import Storage
import Synchronization

/// Does the due work for the campaigns of one config and store.
final class DueGroup: Sendable {
    /// What a campaign does next by itself: a start, or the next wave of a run.
    struct Coming: Sendable {
        let campaign: String
        let date: Date
        var isWave = false
    }

    private let name: String
    /// The folders that were searched, absolute.
    private let folders: [String]
    private let settings: EffectiveSettings
    private let order: DueRuns.Order
    private let means: DueRuns.Means
    private let machine: String?
    private let now: @Sendable () -> Date
    private let batch: RunBatch
    private let watch: RunWatch
    /// Whether watchers were told that work began.
    private let hasBegun = Mutex(false)
    /// Whether watchers were told how it ended.
    private let isTold = Mutex(false)

    private var output: RunOutput { batch.output }
    private var invocation: Invocation { settings.invocation }

    init(
        named name: String, foundIn folders: [String], settings: EffectiveSettings,
        order: DueRuns.Order, means: DueRuns.Means, machine: String?,
        now: @escaping @Sendable () -> Date
    ) {
        self.name = name
        self.folders = folders.map { Path.cleaned(settings.invocation.absolute($0)) }
        self.settings = settings
        self.order = order
        self.means = means
        self.machine = machine
        self.now = now
        watch = RunWatch(settings, as: means.program, logger: means.logger, now: now)
        batch = RunBatch(
            settings: settings, asks: order.asks,
            output: RunOutput(
                settings: settings, isJSON: order.isJSON, isQuiet: order.isQuiet,
                explain: means.explain), logger: means.logger,
            watch: watch)
    }

    /// - Parameter hits: the files; a search's files that are not campaigns are skipped.
    /// - Returns: how each piece of work or news ended, and what comes next.
    func work(on hits: [CampaignSearch.Hit]) async -> (ends: [CampaignEnd], next: Coming?) {
        let (members, obstacles) = await DueMember.read(hits, settings)
        // No store is made if nothing was ever sent and nothing has a schedule.
        let isWanted =
            !obstacles.isEmpty
            || members.contains { $0.campaign.schedule != nil || $0.lack != nil }
        if !isWanted, await !settings.store.isThere() { return ([], nil) }
        let (ends, coming) = await prepare(members, besides: obstacles)
        await tellWatch(ends)
        return (ends, coming.min { $0.date < $1.date })
    }

    /// Tells watchers once how the work ended.
    private func tellWatch(_ ends: [CampaignEnd]) async {
        // A call without work says nothing: a heartbeat reports on runs, not on cron.
        guard !ends.isEmpty || hasBegun.withLock(\.self) else { return }
        let wasTold = isTold.withLock { told in
            defer { told = true }
            return told
        }
        if !wasTold { await watch.end(code: means.code(ends)) }
    }

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
            // This comes before a store is made where none may be.
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
            // If there is nothing to send, these settings are not needed.
            let lack =
                members.count == lacks.count ? [] : [DueObstacle(.settings(name), error)]
            return (await teller(memory).tell(obstacles + lacks + lack), [])
        }
        let store: any Store
        do {
            store = try await settings.store.open(options)
        } catch {
            // If the store itself is the trouble, it cannot remember that this was said.
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
                try StoreMachine(besideStoreAt: path).claim(for: machine)
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
                // Times are stored in milliseconds.
                let age = time.timeIntervalSince(try await store.began(now: time))
                if age < 0.001 { output.sayNew(store.place, at: time) }
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
                // The runs are over; deleting old data may take a while, so watchers come first.
                await tellWatch(ends)
                _ = try await Retention.apply(settings, to: store, now: now())
            }
            try await teller.memory.forgetWhatIsOver()
            try store.close()
        } catch let error as StoreElsewhere {
            // The exit code says it each time; words say it once a day.
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
