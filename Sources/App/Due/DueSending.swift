import CampaignCore
import CampaignFormat
import Delivery
import Storage

/// Sends the due work of a group's campaigns to their hub, one run at a time.
struct DueSending: Sendable {
    let call: RunCall
    let connection: HubConnection
    let store: any Store
    let inspection: DueInspection
    let reporter: ObstacleReporter

    func send(_ members: [DueMember]) async -> [CampaignEnd] {
        // If a person has to confirm before anything is sent, everything is planned first.
        let isAsked =
            call.options.asks && call.settings.invocation.canAsk && !connection.isLoopback
        var ends: [CampaignEnd] = []
        var planned: [PlannedRun] = []
        for member in members {
            // A step can take hours or make the next one unnecessary, so due work is looked up
            // again.
            var tried: Set<Occurrence> = []
            while true {
                guard !Task.isCancelled else { return ends + [.interrupted] }
                let steps: [DueWork.Step]
                do {
                    let found = try await inspection.steps(of: member, at: connection.identity)
                    ends += found.ends
                    steps = found.steps
                } catch {
                    // All campaigns of the group share the store that has failed.
                    return ends + [call.failed(error)]
                }
                guard let step = steps.first(where: { !tried.contains($0.subject) }) else { break }
                tried.insert(step.subject)
                call.watch.expect([member.campaign.name])
                do {
                    guard let run = try await plan(step, of: member, &ends) else { continue }
                    if isAsked {
                        planned.append(run)
                    } else {
                        ends += try await carryOut(run, of: try await agreed([run]))
                    }
                } catch {
                    ends += await explain(error, of: member.campaign.name)
                    if error is StoreError { return ends }
                }
            }
        }
        return ends + (await carryOutOnceAgreed(planned))
    }

    /// Asks once about everything that was planned, then sends it.
    private func carryOutOnceAgreed(_ planned: [PlannedRun]) async -> [CampaignEnd] {
        guard !planned.isEmpty else { return [] }
        let agreed: AgreedRuns
        do {
            agreed = try await self.agreed(planned)
        } catch let refused as Refused where refused == .declined {
            return []
        } catch {
            return [call.failed(error)]
        }
        var ends: [CampaignEnd] = []
        for run in planned {
            guard !Task.isCancelled else { return ends + [.interrupted] }
            do {
                ends += try await carryOut(run, of: agreed)
            } catch {
                ends += await explain(error, of: run.campaign)
            }
        }
        return ends
    }

    /// - Returns: nil if the audience has findings, which are shown, or if a fallback has no
    ///   recipients.
    private func plan(
        _ step: DueWork.Step, of member: DueMember, _ ends: inout [CampaignEnd]
    ) async throws -> PlannedRun? {
        let planner = RunPlanner(call: call, hub: connection.identity, store: store)
        let run = try await planner.plan(due: step.mode, of: member.campaign, in: member.source)
        guard let run else { return nil }
        guard run.errors.isEmpty else {
            ends += await reporter.report([
                DueObstacle(subject(run.campaign), run.errors, of: run.campaign)
            ])
            return nil
        }
        if run.isPending { try await store.requirePayloadKey(for: [run]) }
        return run
    }

    private func agreed(_ runs: [PlannedRun]) async throws -> AgreedRuns {
        try await PlannedRuns(runs: runs, call: call, connection: connection, store: store).agreed()
    }

    private func carryOut(_ run: PlannedRun, of agreed: AgreedRuns) async throws -> [CampaignEnd] {
        var ends: [CampaignEnd] = []
        do {
            let sent = try await agreed.sent(run)
            let isNews =
                switch sent.summary.result {
                // The run can continue or is waiting for a person, which each call would report
                // again.
                case .paused, .stopped: await reporter.memory.isNews(Trouble(sent.summary.record))
                default: true
                }
            if sent.summary.result != .alreadyFinished {
                ends = try await sent.announce(isNews: isNews)
            }
        } catch RunError.locked, RunError.waits, RunError.stopped, RunError.runIsGone,
            RunError.fallbackIsGone
        {
            // Another process is sending the run, or a person has to act.
        }
        await reporter.memory.settle(subject(run.campaign))
        return ends
    }

    private func subject(_ campaign: String) -> Trouble.Subject {
        .sending(of: campaign, at: connection.identity)
    }

    /// Reports why a campaign was not sent, unless it was reported before.
    private func explain(_ error: any Error, of campaign: String) async -> [CampaignEnd] {
        switch error {
        case is CancellationError:
            [call.failed(Refused.interrupted(campaign))]
        // A failing store cannot record anything, and a person who interrupts a command sees why it
        // ended.
        case is StoreError: [call.failed(error)]
        default: await reporter.report([DueObstacle(subject(campaign), error, of: campaign)])
        }
    }
}
