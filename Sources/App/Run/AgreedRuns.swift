import CampaignCore
import Delivery
import NotificationHubs
import Storage

/// Runs that are confirmed and can be sent.
struct AgreedRuns: Sendable {
    let runs: [PlannedRun]
    let call: RunCall
    let connection: HubConnection
    let store: any Store

    /// Sends one run after another and writes a report for each.
    func send() async throws -> [CampaignEnd] {
        let isIdle = !runs.contains(where: \.isPending)
        let ends = isIdle ? await sendAll() : await call.watch.during { await sendAll() }
        try store.close()
        return ends
    }

    private func sendAll() async -> [CampaignEnd] {
        var ends: [CampaignEnd] = []
        for (index, run) in runs.enumerated() {
            if Task.isCancelled {
                let names = runs[index...].map(\.campaign).joined(separator: ", ")
                Console.complain("hubsend: interrupted; not started: \(names)")
                ends.append(.interrupted)
                break
            }
            do {
                ends += try await send(run)
            } catch {
                ends.append(call.failed(error))
            }
        }
        return ends
    }

    private func send(_ run: PlannedRun) async throws -> [CampaignEnd] {
        if let followUp = run.emptyFollowUp {
            try await call.sayNobodyIsLeft(of: followUp, in: store)
            return [.done]
        }
        if let joining = run.joining { call.sayJoining(run.campaign, joining) }
        do {
            let sent = try await sent(run)
            let ends = try await sent.announce()
            try await sent.mentionDevices()
            return ends
        } catch RunError.stopped(let id) {
            try await call.refuseStopped(id, in: store)
            return [.stopped]
        } catch RunError.unfinished(let id, _, let state, let left) {
            try await call.refuseAgain(id, left: left, in: store)
            return [state == .stopped ? .stopped : .unfinished]
        } catch RunError.locked(let campaign) {
            throw Refused.locked(campaign, stop: call.settings.command("stop", campaign))
        } catch let error as RunError {
            guard case .notStaged = error, case .resume(let record, _) = run.entry,
                let words = RunContinuation.words(toBeginAnew: record)
            else { throw error }
            throw Refused(
                "\(error) To start it again: \(call.settings.commandForm(words))",
                status: error.status)
        } catch is CancellationError {
            throw Refused.interrupted(run.campaign)
        }
    }

    /// Sends a run as far as possible now.
    func sent(_ run: PlannedRun) async throws -> SentRun {
        let bar = call.bar
        let observe: @Sendable (RunProgress) -> Void = { [watch = call.watch] progress in
            bar.update(progress)
            // Fallbacks are not part of a campaign's metrics.
            if !run.isFallback { watch.observe(progress, of: run.campaign) }
        }
        let summary = try await connection.withClient(
            concurrency: run.concurrency, logger: call.logger
        ) { client in
            var runner = CampaignRunner(
                ledger: store, sender: HubPushSender(client: client), lock: store.campaignLock,
                logger: call.logger)
            runner.process = connection.process
            runner.patience = call.options.patience
            runner.observe = observe
            runner.observeStaging = bar.update
            runner.observeLock = call.sayLocked
            defer { bar.clear() }
            switch run.entry {
            case .run(let request, _):
                try await request.endRunsAtMissingHubs(in: store)
                return try await runner.run(request, to: run.audience)
            case .resume(let record, let campaign):
                return try await runner.resume(
                    record.id, at: connection.identity, campaign: campaign)
            }
        }
        return SentRun(
            run: run, summary: summary, call: call, connection: connection, store: store)
    }
}

extension PlannedRun {
    /// The maximum number of requests in flight.
    fileprivate var concurrency: Int {
        switch entry {
        case .run(let request, _): request.campaign.delivery.concurrency
        case .resume(let record, let campaign):
            (campaign?.delivery ?? record.delivery).concurrency
        }
    }
}
