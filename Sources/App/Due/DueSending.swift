import CampaignCore
import CampaignFormat
import Delivery
import Storage

/// Sends the due work of a group's campaigns to their hub, one run at a time.
struct DueSending: Sendable {
    let batch: RunBatch
    let connection: HubConnection
    let store: any Store
    let inspection: DueInspection
    let teller: ObstacleTeller
    /// Whether a person is asked before sending; everything is then planned first.
    let isAsked: Bool

    private var output: RunOutput { batch.output }

    func send(_ members: [DueMember]) async -> [CampaignEnd] {
        var ends: [CampaignEnd] = []
        var planned: [PlannedRun] = []
        for member in members {
            // A step may settle the next one or take hours, so due work is looked up again.
            var tried: Set<Occurrence> = []
            while true {
                guard !Task.isCancelled else { return ends + [.interrupted] }
                let steps: [DueWork.Step]
                do {
                    let found = try await inspection.steps(of: member, at: connection.identity)
                    ends += found.ends
                    steps = found.steps
                } catch {
                    // The store is the trouble, and all campaigns share it.
                    return ends + [output.failed(error)]
                }
                guard let step = steps.first(where: { !tried.contains($0.subject) }) else {
                    break
                }
                tried.insert(step.subject)
                teller.watch.expect([member.campaign.name])
                do {
                    guard let run = try await plan(step, of: member, &ends) else { continue }
                    if isAsked {
                        planned.append(run)
                    } else {
                        try await batch.confirm([run], connection)
                        ends += try await carryOut(run)
                    }
                } catch {
                    ends += await explain(error, of: member.campaign.name)
                    if error is StoreError { return ends }
                }
            }
        }
        return ends + (await carryOutOnceConfirmed(planned))
    }

    /// Asks once about everything that was planned, then sends it.
    private func carryOutOnceConfirmed(_ planned: [PlannedRun]) async -> [CampaignEnd] {
        guard !planned.isEmpty else { return [] }
        do {
            try await batch.confirm(planned, connection)
        } catch is ConsentRefused {
            return []
        } catch {
            return [output.failed(error)]
        }
        var ends: [CampaignEnd] = []
        for run in planned {
            guard !Task.isCancelled else { return ends + [.interrupted] }
            do {
                ends += try await carryOut(run)
            } catch {
                ends += await explain(error, of: run.request.campaign.name)
            }
        }
        return ends
    }

    /// - Returns: nil if its people have findings, which were shown, or for a fallback to nobody.
    private func plan(
        _ step: DueWork.Step, of member: DueMember, _ ends: inout [CampaignEnd]
    ) async throws -> PlannedRun? {
        let campaign = member.campaign
        let (run, faults) = try await batch.plan(
            due: step.mode, of: campaign, in: member.source, at: connection.identity,
            in: store)
        guard !faults.isEmpty else { return run }
        ends += await teller.tell([
            DueObstacle(
                .sending(of: campaign.name, at: connection.identity), faults, of: campaign.name)
        ])
        return nil
    }

    private func carryOut(_ run: PlannedRun) async throws -> [CampaignEnd] {
        let memory = teller.memory
        let ends = try await batch.send(due: run, at: connection, in: store) { summary in
            switch summary.result {
            // The run continues or waits for a person, and each call would say so.
            case .paused, .stopped: await memory.isNews(Trouble(summary.record))
            default: true
            }
        }
        await memory.settle(.sending(of: run.request.campaign.name, at: connection.identity))
        return ends
    }

    /// Reports what kept a campaign from being sent, unless it was reported before.
    private func explain(_ error: any Error, of campaign: String) async -> [CampaignEnd] {
        switch error {
        case is CancellationError:
            return [output.failed(OperationFault.interrupted(campaign: campaign))]
        // A failing store remembers nothing, and a person who interrupts a command is watching.
        case is StoreError, OperationFault.interrupted:
            return [output.failed(error)]
        default:
            let subject = Trouble.Subject.sending(of: campaign, at: connection.identity)
            return await teller.tell([DueObstacle(subject, error, of: campaign)])
        }
    }
}
