import CampaignCore
import CampaignFormat
import Delivery
import Foundation
import ProcessControl
import Storage

/// Does the due work for the campaigns of one config and store.
struct DueGroup: Sendable {
    /// The next scheduled event of a campaign: a start, or the next wave of a run.
    struct Upcoming: Sendable {
        let campaign: String
        let date: Date
        var isWave = false
    }

    let name: String
    /// The absolute paths of the folders that were searched.
    let folders: [String]
    let call: RunCall
    let due: DueRuns

    private var settings: EffectiveSettings { call.settings }

    /// Skips files that are not campaigns; returns the result for each campaign, and what starts
    /// next.
    func work(on hits: [CampaignSearch.Hit]) async -> (ends: [CampaignEnd], next: Upcoming?) {
        let (members, obstacles) = await DueMember.read(hits, settings)
        // Do not create a store if nothing was ever sent and nothing has a schedule.
        let isWanted =
            !obstacles.isEmpty
            || members.contains { $0.campaign.schedule != nil || $0.lack != nil }
        if !isWanted, await !settings.store.isThere() { return ([], nil) }
        let (ends, upcoming) = await work(on: members, besides: obstacles)
        await notifyWatch(ends)
        return (ends, upcoming.min { $0.date < $1.date })
    }

    private func notifyWatch(_ ends: [CampaignEnd]) async {
        // A call without work does not send a heartbeat, because heartbeats monitor runs and not
        // cron.
        guard !ends.isEmpty || call.watch.hasBegun else { return }
        await call.watch.end(code: ExitStatus(ends).rawValue)
    }

    private func work(
        on members: [DueMember], besides obstacles: [DueObstacle]
    ) async -> (ends: [CampaignEnd], upcoming: [Upcoming]) {
        let known = obstacles + members.compactMap(\.lack)
        let hub: HubChoice
        let identity: HubIdentity?
        let options: StoreOptions
        do {
            hub = try settings.requiredHub()
            identity = try hub.identity()
            // This must be checked first, or a store might be created in the wrong place.
            if let identity {
                try settings.requireStorePath(
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
            return (await reporter(memory).report(known + lack), [])
        }
        let store: any Store
        do {
            store = try await settings.store.open(options)
        } catch {
            // A store that fails cannot record that this was reported.
            let memory = TroubleMemory(nil, isAtTerminal: true, now: due.now)
            return (
                await reporter(memory).report(known + [DueObstacle(.settings(name), error)]), []
            )
        }
        let reporter = reporter(
            TroubleMemory(
                store, isAtTerminal: settings.invocation.isErrorTerminal, now: due.now))
        let inspection = DueInspection(
            foundIn: folders, in: store, reporter: reporter, now: due.now)
        var ends = await reporter.report(obstacles)
        await reporter.memory.settle(.settings(name))
        do {
            let able = try await able(members, in: store, reporter, &ends)
            var isDue = true
            if let identity {
                let found = try await inspection.inspect(able, at: identity)
                ends += found.ends
                isDue = found.isDue
            }
            if isDue {
                ends += await connect(
                    to: hub, for: able, isInspected: identity != nil, store, inspection, reporter)
            }
            if !ends.contains(where: \.isInterrupted) {
                // Deleting old data may take a while, so the runs are reported to the watch first.
                await notifyWatch(ends)
                _ = try await Retention.apply(settings, to: store, now: due.now())
            }
            try await reporter.memory.forgetResolved()
            try store.close()
        } catch let error as StoreElsewhere {
            // The exit code reports this each time, but the message appears only once a day.
            let reported = await reporter.report([DueObstacle(.settings(name), error)])
            ends += reported.isEmpty ? [.failed(error)] : reported
        } catch {
            ends.append(call.failed(error))
        }
        return (ends, inspection.upcoming)
    }

    private func reporter(_ memory: TroubleMemory) -> ObstacleReporter {
        ObstacleReporter(call: call, memory: memory)
    }

    /// Returns the campaigns that can be sent from this machine, and reports why others cannot.
    private func able(
        _ members: [DueMember], in store: any Store, _ reporter: ObstacleReporter,
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
                ends += await reporter.report([obstacle])
            } else {
                let path = settings.invocation.absolute(member.source.loaded.path)
                await reporter.memory.settle(.file(path))
                able.append(member)
            }
        }
        if able.contains(where: { $0.campaign.schedule != nil }) {
            let time = due.now()
            // Times are stored in milliseconds.
            let age = time.timeIntervalSince(try await store.began(now: time))
            if age < 0.001 { call.sayStoreIsNew(store.place, at: time) }
        }
        return able
    }

    private func connect(
        to hub: HubChoice, for members: [DueMember], isInspected: Bool, _ store: any Store,
        _ inspection: DueInspection, _ reporter: ObstacleReporter
    ) async -> [CampaignEnd] {
        do {
            let ends = try await due.connect(call, hub) { connection in
                try settings.requireStorePath(for: connection)
                var ends: [CampaignEnd] = []
                if !isInspected {
                    let found = try await inspection.inspect(members, at: connection.identity)
                    ends = found.ends
                    guard found.isDue else { return ends }
                }
                let sending = DueSending(
                    call: call, connection: connection, store: store, inspection: inspection,
                    reporter: reporter)
                return ends + (await call.watch.during { await sending.send(members) })
            }
            await reporter.memory.settle(.connection(name))
            return ends
        } catch  where error is CancellationError || error is SignalWatch.Interruption {
            return [call.failed(error)]
        } catch {
            return await reporter.report([DueObstacle(.connection(name), error)])
        }
    }
}
