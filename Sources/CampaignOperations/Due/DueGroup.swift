import CampaignCore
import CampaignFormat
import Delivery
import Foundation
import Settings
import Storage
import Synchronization
import Terminal

/// Campaigns of one config and store, of which what is due is done.
final class DueGroup: Sendable {
    /// What comes next of a campaign by itself: a start, or the next wave of a run.
    struct Coming: Sendable {
        let campaign: String
        let date: Date
        /// Whether a run that is there goes on, since somebody's turn comes then.
        var isWave = false
    }

    /// A campaign that can be sent, as far as its file says.
    private struct Member: Sendable {
        let source: CampaignSource
        let campaign: Campaign
    }

    /// What keeps a campaign, or all of them, from being sent.
    private struct Obstacle: Sendable {
        let trouble: Trouble
        let error: any Error
        /// What is shown; empty: the error says it.
        var findings: [Diagnostic] = []
        /// The campaign that it is about, where that is known.
        var campaign: String?
    }

    private let name: String
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
    /// When runs go on that wait for their next wave.
    private let waves = Mutex<[Coming]>([])

    private var output: RunOutput { batch.output }
    private var invocation: Invocation { settings.invocation }

    /// - Parameters:
    ///   - name: what the group is remembered by.
    ///   - settings: those of its campaigns.
    ///   - order: how it is asked for.
    ///   - means: what the executable lends it.
    ///   - now: the time of day.
    init(
        named name: String, settings: EffectiveSettings, order: DueRuns.Order,
        means: DueRuns.Means, now: @escaping @Sendable () -> Date
    ) {
        self.name = name
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
        let (members, obstacles) = await read(hits)
        let time = now()
        let starts = members.compactMap { member in
            member.campaign.schedule?.next(after: time).map {
                Coming(campaign: member.campaign.name, date: $0)
            }
        }
        func next() -> Coming? { (starts + waves.withLock(\.self)).min { $0.date < $1.date } }
        // Where nothing was ever sent and nothing has a schedule, no store is left behind.
        let isWanted =
            !obstacles.isEmpty || members.contains { $0.campaign.schedule != nil }
        if !isWanted, await !settings.store.isThere() { return ([], next()) }
        let ends = await work(on: members, besides: obstacles)
        await tellWatch(ends)
        return (ends, next())
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

    // MARK: Reading

    private func read(
        _ hits: [CampaignSearch.Hit]
    ) async -> (members: [Member], obstacles: [Obstacle]) {
        var members: [Member] = []
        var obstacles: [Obstacle] = []
        for hit in hits {
            let subject = Trouble.Subject.file(invocation.absolute(hit.path))
            do {
                let source = try await CampaignSource(
                    path: hit.path, settings: settings, searched: hit.folder)
                let loaded = source.loaded
                guard hit.isNamed || loaded.kind == .campaign else { continue }
                let faults = loaded.diagnostics.filter { $0.severity == .error }
                if !faults.isEmpty {
                    obstacles.append(
                        Obstacle(
                            trouble: Trouble(subject, faults), error: FindingsShown(),
                            findings: faults))
                } else if let campaign = loaded.campaign {
                    members.append(Member(source: source, campaign: campaign))
                }
            } catch {
                obstacles.append(Obstacle(trouble: Trouble(subject, error), error: error))
            }
        }
        let files = Dictionary(grouping: members, by: \.campaign.name).filter { $1.count > 1 }
        for (campaign, twins) in files.sorted(by: { $0.key < $1.key }) {
            let paths = twins.map(\.source.loaded.path)
            let subject = Trouble.Subject.file(invocation.absolute(paths[0]))
            let fault = OperationFault.sameCampaign(campaign, files: paths)
            obstacles.append(
                Obstacle(trouble: Trouble(subject, fault), error: fault, campaign: campaign))
        }
        return (members.filter { files[$0.campaign.name] == nil }, obstacles)
    }

    // MARK: Telling

    /// Says what is in the way, unless it was said before.
    private func tell(
        _ obstacle: Obstacle, _ memory: TroubleMemory
    ) async -> [CampaignEnd] {
        guard await memory.isNews(obstacle.trouble) else { return [] }
        if let campaign = obstacle.campaign { watch.expect([campaign]) }
        guard !obstacle.findings.isEmpty else { return [output.failed(obstacle.error)] }
        do {
            try FindingsOutput(invocation: invocation, format: .text)
                .complain(obstacle.findings.sorted())
        } catch {
            return [output.failed(error)]
        }
        Console.complain(
            "hubsend: \(FindingsOutput.tally(obstacle.findings)); it is not sent until that is mended."
        )
        return [.failed(obstacle.error)]
    }

    /// Something that is wrong with the settings, or on the way to the hub.
    private func obstacle(_ subject: Trouble.Subject, _ error: any Error) -> Obstacle {
        Obstacle(trouble: Trouble(subject, error), error: error)
    }

    // MARK: Working

    private func work(
        on members: [Member], besides obstacles: [Obstacle]
    ) async -> [CampaignEnd] {
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
            options = try await settings.storeOptions(clearing: output.bar)
        } catch {
            let memory = await TroubleMemory.kept(
                inStoreAt: settings.store, isMade: settings.configPath != nil, invocation,
                now: now)
            // Where there is nothing to send, as of a path with a slip in it, it is no matter what its folder lacks.
            let lack = members.isEmpty ? [] : [obstacle(.settings(name), error)]
            return await tell(obstacles + lack, memory)
        }
        let store: any Store
        do {
            store = try await settings.store.open(options)
        } catch {
            // Where the store is what is wrong, nothing remembers that it was said.
            let memory = TroubleMemory(nil, isAtTerminal: true, now: now)
            return await tell(obstacles + [obstacle(.settings(name), error)], memory)
        }
        let memory = TroubleMemory(
            store, isAtTerminal: invocation.isErrorTerminal, now: now)
        var ends = await tell(obstacles, memory)
        await memory.settle(.settings(name))
        for member in members {
            await memory.settle(.file(invocation.absolute(member.source.loaded.path)))
        }
        do {
            var isDue = true
            if let identity {
                let found = try await look(at: members, at: identity, in: store, memory)
                ends += found.ends
                isDue = found.isDue
            }
            if isDue {
                ends += await connect(
                    to: hub, for: members, isLookedAt: identity != nil, store, memory)
            }
            if !ends.contains(where: \.isInterrupted) {
                // What is old may take a while to delete, and the runs are over.
                await tellWatch(ends)
                _ = try await Retention.apply(settings, to: store, now: now())
            }
            try await memory.forgetWhatIsOver()
            try store.close()
        } catch {
            ends.append(output.failed(error))
        }
        return ends
    }

    private func tell(
        _ obstacles: [Obstacle], _ memory: TroubleMemory
    ) async -> [CampaignEnd] {
        var ends: [CampaignEnd] = []
        for obstacle in obstacles { ends += await tell(obstacle, memory) }
        return ends
    }

    /// Connects to the hub and sends.
    private func connect(
        to hub: HubChoice, for members: [Member], isLookedAt: Bool, _ store: any Store,
        _ memory: TroubleMemory
    ) async -> [CampaignEnd] {
        do {
            let ends = try await means.connect(hub, output) { [self] connection in
                try settings.requireStorePlace(for: connection)
                var ends: [CampaignEnd] = []
                if !isLookedAt {
                    let found = try await look(
                        at: members, at: connection.identity, in: store, memory)
                    ends += found.ends
                    guard found.isDue else { return ends }
                }
                hasBegun.withLock { $0 = true }
                let work = { await self.send(members, at: connection, in: store, memory) }
                return ends + (await watch.during(work))
            }
            await memory.settle(.connection(name))
            return ends
        } catch {
            if error is CancellationError { return [output.failed(error)] }
            return await tell(obstacle(.connection(name), error), memory)
        }
    }

    /// Looks whether anything of any campaign is due, and says which runs wait for a person.
    private func look(
        at members: [Member], at hub: HubIdentity, in store: any Store, _ memory: TroubleMemory
    ) async throws -> (isDue: Bool, ends: [CampaignEnd]) {
        var isDue = false
        var ends: [CampaignEnd] = []
        for member in members {
            let found = try await look(at: member, at: hub, in: store, memory)
            ends += found.ends
            isDue = isDue || !found.steps.isEmpty
        }
        return (isDue, ends)
    }

    /// What is due of one campaign; nothing while another process works on it, and then nothing of it is over either.
    private func look(
        at member: Member, at hub: HubIdentity, in store: any Store, _ memory: TroubleMemory
    ) async throws -> (steps: [DueWork.Step], ends: [CampaignEnd]) {
        let campaign = member.campaign
        let work = try await DueWork(of: campaign, at: hub, in: store, now: now())
        let subject = Trouble.Subject.runs(of: campaign.name, at: hub)
        guard !work.unfinished.isEmpty || !work.steps.isEmpty || !work.unfetched.isEmpty else {
            await memory.settle(subject)
            return ([], [])
        }
        guard try await !store.isWorkedOn(campaign: campaign.name) else {
            return ([], [])
        }
        await memory.settle(subject)
        for run in work.unfinished { await memory.stands(subject, part: run.id.text) }
        let waiting = work.unfinished.filter { $0.waits(at: now()) }.compactMap(\.resumes)
        waves.withLock {
            $0 += waiting.map { Coming(campaign: campaign.name, date: $0, isWave: true) }
        }
        var ends: [CampaignEnd] = []
        for run in work.waiting where await memory.isNews(Trouble(run)) {
            watch.expect([campaign.name])
            output.sayWaiting(run)
            ends.append(run.state == .stopped ? .stopped : .unfinished)
        }
        for run in work.unfetched where await memory.isNews(Trouble(unfetched: run)) {
            Console.complain("hubsend: warning: \(DueFallbacks.warning(about: run))")
        }
        return (work.steps, ends)
    }

    // MARK: Sending

    /// Sends what is due of each campaign; where a person is asked, all is planned first.
    private func send(
        _ members: [Member], at connection: HubConnection, in store: any Store,
        _ memory: TroubleMemory
    ) async -> [CampaignEnd] {
        let isAsked =
            order.asks && invocation.isInputTerminal && invocation.isErrorTerminal
            && !connection.isLoopback
        var ends: [CampaignEnd] = []
        var planned: [PlannedRun] = []
        for member in members {
            // What one step came to can be why the next is not due any more, and the steps before may have taken hours.
            var tried: Set<Occurrence> = []
            while true {
                guard !Task.isCancelled else { return ends + [.interrupted] }
                let steps: [DueWork.Step]
                do {
                    let found = try await look(
                        at: member, at: connection.identity, in: store, memory)
                    ends += found.ends
                    steps = found.steps
                } catch {
                    // The store is what is wrong, for all of them.
                    return ends + [output.failed(error)]
                }
                guard let step = steps.first(where: { !tried.contains($0.subject) }) else {
                    break
                }
                tried.insert(step.subject)
                watch.expect([member.campaign.name])
                do {
                    guard
                        let run = try await plan(step, of: member, connection, store, memory, &ends)
                    else { continue }
                    if isAsked {
                        planned.append(run)
                    } else {
                        try await batch.confirm([run], connection)
                        ends += try await send(run, at: connection, in: store, memory)
                    }
                } catch {
                    ends += await failed(error, with: member.campaign.name, connection, memory)
                    if error is StoreError { return ends }
                }
            }
        }
        guard !planned.isEmpty else { return ends }
        do {
            try await batch.confirm(planned, connection)
        } catch is ConsentRefused {
            return ends
        } catch {
            return ends + [output.failed(error)]
        }
        for run in planned {
            guard !Task.isCancelled else { return ends + [.interrupted] }
            do {
                ends += try await send(run, at: connection, in: store, memory)
            } catch {
                ends += await failed(error, with: run.request.campaign.name, connection, memory)
            }
        }
        return ends
    }

    /// Plans a step.
    ///
    /// - Returns: nil where its people have faults, which were told, or where it is a fallback for nobody.
    /// - Throws: what cannot be read.
    private func plan(
        _ step: DueWork.Step, of member: Member, _ connection: HubConnection, _ store: any Store,
        _ memory: TroubleMemory, _ ends: inout [CampaignEnd]
    ) async throws -> PlannedRun? {
        let campaign = member.campaign
        let (run, faults) = try await batch.plan(
            due: step.mode, of: campaign, in: member.source, at: connection.identity,
            in: store)
        guard !faults.isEmpty else { return run }
        let subject = Trouble.Subject.sending(of: campaign.name, at: connection.identity)
        let obstacle = Obstacle(
            trouble: Trouble(subject, faults), error: FindingsShown(), findings: faults,
            campaign: campaign.name)
        ends += await tell(obstacle, memory)
        return nil
    }

    private func send(
        _ run: PlannedRun, at connection: HubConnection, in store: any Store,
        _ memory: TroubleMemory
    ) async throws -> [CampaignEnd] {
        let ends = try await batch.send(due: run, at: connection, in: store) { summary in
            switch summary.result {
            // It goes on, or waits for a person, and each call would say so.
            case .paused, .stopped: await memory.isNews(Trouble(summary.record))
            default: true
            }
        }
        await memory.settle(
            .sending(of: run.request.campaign.name, at: connection.identity))
        return ends
    }

    /// Says what kept a campaign from being sent, unless it was said before.
    private func failed(
        _ error: any Error, with campaign: String, _ connection: HubConnection,
        _ memory: TroubleMemory
    ) async -> [CampaignEnd] {
        switch error {
        case is CancellationError:
            return [output.failed(OperationFault.interrupted(campaign: campaign))]
        // Where the store is what is wrong, nothing remembers that it was said; and who interrupts, looks on.
        case is StoreError, OperationFault.interrupted:
            return [output.failed(error)]
        default:
            let subject = Trouble.Subject.sending(of: campaign, at: connection.identity)
            var obstacle = obstacle(subject, error)
            obstacle.campaign = campaign
            return await tell(obstacle, memory)
        }
    }
}

extension HubIdentity {
    /// Whether it is a hub on this machine, or in this process, to which no store has to be settled.
    fileprivate var isOnThisMachine: Bool {
        host == HubChoice.embeddedHost || host == "127.0.0.1"
    }
}
