import CampaignCore
import CampaignFormat
import Delivery
import Settings
import Storage

/// Sends what is due of the campaigns of a group to their hub, one run after the other.
struct DueSending: Sendable {
    let batch: RunBatch
    let connection: HubConnection
    let store: any Store
    let inspection: DueInspection
    let teller: ObstacleTeller
    /// Whether a person is asked before anything is sent; then everything is planned first.
    let isAsked: Bool

    private var output: RunOutput { batch.output }

    /// Sends what is due of each campaign.
    ///
    /// - Returns: how each piece of work or news ended.
    func send(_ members: [DueMember]) async -> [CampaignEnd] {
        var ends: [CampaignEnd] = []
        var planned: [PlannedRun] = []
        for member in members {
            // After each step, what is due is looked up again: the step may have settled the next one, or may have taken hours.
            var tried: Set<Occurrence> = []
            while true {
                guard !Task.isCancelled else { return ends + [.interrupted] }
                let steps: [DueWork.Step]
                do {
                    let found = try await inspection.steps(of: member, at: connection.identity)
                    ends += found.ends
                    steps = found.steps
                } catch {
                    // The trouble is the store, which all campaigns share.
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

    /// Asks a person about all that was planned, and sends it.
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

    /// Plans a step.
    ///
    /// - Returns: nil when its people have faults, which were told, or when it is a fallback for nobody.
    /// - Throws: the error of what cannot be read.
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

    /// Sends a run that was planned.
    private func carryOut(_ run: PlannedRun) async throws -> [CampaignEnd] {
        let memory = teller.memory
        let ends = try await batch.send(due: run, at: connection, in: store) { summary in
            switch summary.result {
            // The run goes on, or waits for a person, and each call would say so.
            case .paused, .stopped: await memory.isNews(Trouble(summary.record))
            default: true
            }
        }
        await memory.settle(.sending(of: run.request.campaign.name, at: connection.identity))
        return ends
    }

    /// Says what kept a campaign from being sent, unless it was said before.
    private func explain(_ error: any Error, of campaign: String) async -> [CampaignEnd] {
        switch error {
        case is CancellationError:
            return [output.failed(OperationFault.interrupted(campaign: campaign))]
        // If the store is the trouble, nothing can remember that it was said; and whoever interrupts a command is watching it.
        case is StoreError, OperationFault.interrupted:
            return [output.failed(error)]
        default:
            let subject = Trouble.Subject.sending(of: campaign, at: connection.identity)
            return await teller.tell([DueObstacle(subject, error, of: campaign)])
        }
    }
}
