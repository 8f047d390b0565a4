import CampaignCore
import CampaignFormat
import Delivery
import Foundation
import ProcessControl
import Storage

/// Does the due work for the campaigns of one config and store.
struct DueGroup: Sendable {
    /// What a campaign does next by itself: a start, or the next wave of a run.
    struct Coming: Sendable {
        let campaign: String
        let date: Date
        var isWave = false
    }

    let name: String
    /// The folders that were searched, absolute.
    let folders: [String]
    let call: RunCall
    let due: DueRuns

    private var settings: EffectiveSettings { call.settings }

    /// Skips a search's files that are not campaigns; returns the ends, and what comes next.
    func work(on hits: [CampaignSearch.Hit]) async -> (ends: [CampaignEnd], next: Coming?) {
        let (members, obstacles) = await DueMember.read(hits, settings)
        // No store is made if nothing was ever sent and nothing has a schedule.
        let isWanted =
            !obstacles.isEmpty
            || members.contains { $0.campaign.schedule != nil || $0.lack != nil }
        if !isWanted, await !settings.store.isThere() { return ([], nil) }
        let (ends, coming) = await work(on: members, besides: obstacles)
        await tellWatch(ends)
        return (ends, coming.min { $0.date < $1.date })
    }

    private func tellWatch(_ ends: [CampaignEnd]) async {
        // A call without work says nothing: a heartbeat reports on runs, not on cron.
        guard !ends.isEmpty || call.watch.hasBegun else { return }
        await call.watch.end(code: ExitStatus(ends).rawValue)
    }

    private func work(
        on members: [DueMember], besides obstacles: [DueObstacle]
    ) async -> (ends: [CampaignEnd], coming: [Coming]) {
        let known = obstacles + members.compactMap(\.lack)
        let hub: HubChoice
        let identity: HubIdentity?
        let options: StoreOptions
        do {
            hub = try settings.requiredHub()
            identity = try hub.identity()
            // This comes before a store is made where none may be.
            if let identity {
                try settings.requireStorePlace(
                    forHubAt: identity.host, isLoopback: identity.isOnThisMachine)
            }
            options = try await settings.storeOptions(clearing: call.bar, logger: call.logger)
        } catch {
            let memory = await TroubleMemory.kept(
                inStoreAt: settings.store, isMade: settings.configPath != nil,
                settings.invocation, now: due.now)
            // If there is nothing to send, these settings are not needed.
            let isNeeded = members.contains { $0.lack == nil }
            let lack = isNeeded ? [DueObstacle(.settings(name), error)] : []
            return (await teller(memory).tell(known + lack), [])
        }
        let store: any Store
        do {
            store = try await settings.store.open(options)
        } catch {
            // If the store itself is the trouble, it cannot remember that this was said.
            let memory = TroubleMemory(nil, isAtTerminal: true, now: due.now)
            return (
                await teller(memory).tell(known + [DueObstacle(.settings(name), error)]), []
            )
        }
        let teller = teller(
            TroubleMemory(
                store, isAtTerminal: settings.invocation.isErrorTerminal, now: due.now))
        let inspection = DueInspection(foundIn: folders, in: store, teller: teller, now: due.now)
        var ends = await teller.tell(obstacles)
        await teller.memory.settle(.settings(name))
        do {
            let able = try await able(members, in: store, teller, &ends)
            var isDue = true
            if let identity {
                let found = try await inspection.inspect(able, at: identity)
                ends += found.ends
                isDue = found.isDue
            }
            if isDue {
                ends += await connect(
                    to: hub, for: able, isInspected: identity != nil, store, inspection, teller)
            }
            if !ends.contains(where: \.isInterrupted) {
                // The runs are over; deleting old data may take a while, so watchers come first.
                await tellWatch(ends)
                _ = try await Retention.apply(settings, to: store, now: due.now())
            }
            try await teller.memory.forgetWhatIsOver()
            try store.close()
        } catch let error as StoreElsewhere {
            // The exit code says it each time; words say it once a day.
            let told = await teller.tell([DueObstacle(.settings(name), error)])
            ends += told.isEmpty ? [.failed(error)] : told
        } catch {
            ends.append(call.failed(error))
        }
        return (ends, inspection.coming)
    }

    private func teller(_ memory: TroubleMemory) -> ObstacleTeller {
        ObstacleTeller(call: call, memory: memory)
    }

    /// The campaigns that can be sent from this machine; tells what keeps the others.
    private func able(
        _ members: [DueMember], in store: any Store, _ teller: ObstacleTeller,
        _ ends: inout [CampaignEnd]
    ) async throws -> [DueMember] {
        if members.contains(where: { $0.campaign.schedule != nil }),
            let path = settings.store.file
        {
            try StoreMachine(besideStoreAt: path).claim(for: due.machine)
        }
        var able: [DueMember] = []
        for member in members {
            if let obstacle = try await member.obstacle(in: store) {
                ends += await teller.tell([obstacle])
            } else {
                let path = settings.invocation.absolute(member.source.loaded.path)
                await teller.memory.settle(.file(path))
                able.append(member)
            }
        }
        if able.contains(where: { $0.campaign.schedule != nil }) {
            let time = due.now()
            // Times are stored in milliseconds.
            let age = time.timeIntervalSince(try await store.began(now: time))
            if age < 0.001 { call.sayNew(store.place, at: time) }
        }
        return able
    }

    private func connect(
        to hub: HubChoice, for members: [DueMember], isInspected: Bool, _ store: any Store,
        _ inspection: DueInspection, _ teller: ObstacleTeller
    ) async -> [CampaignEnd] {
        do {
            let ends = try await due.connect(call, hub) { connection in
                try settings.requireStorePlace(for: connection)
                var ends: [CampaignEnd] = []
                if !isInspected {
                    let found = try await inspection.inspect(members, at: connection.identity)
                    ends = found.ends
                    guard found.isDue else { return ends }
                }
                let sending = DueSending(
                    call: call, connection: connection, store: store, inspection: inspection,
                    teller: teller)
                return ends + (await call.watch.during { await sending.send(members) })
            }
            await teller.memory.settle(.connection(name))
            return ends
        } catch  where error is CancellationError || error is SignalWatch.Interruption {
            return [call.failed(error)]
        } catch {
            return await teller.tell([DueObstacle(.connection(name), error)])
        }
    }
}
