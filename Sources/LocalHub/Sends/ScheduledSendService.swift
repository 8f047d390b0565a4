import Foundation
import ServiceLifecycle

/// Performs the scheduled sends of all hubs when they are due, and overdue sends when the hub
/// starts.
struct ScheduledSendService: Service {
    let environment: HubEnvironment

    func run() async {
        var timer: Task<Void, Never>?
        defer { timer?.cancel() }
        environment.alarm.ring()
        for await _ in environment.alarm.rings.cancelOnGracefulShutdown() {
            timer?.cancel()
            timer = sendDue().map { due in
                Task { [environment] in
                    do {
                        try await environment.sleepUntil(due)
                        environment.alarm.ring()
                    } catch {
                        // The timer was cancelled because another timer replaced it, or because the
                        // hub is stopping.
                    }
                }
            }
        }
    }

    private func sendDue() -> Date? {
        environment.settleInstallations()
        let hubs = environment.namespace.all
        for hub in hubs {
            // Sends are performed one at a time, so that a request never waits for more than one.
            while hub.update({ state in sendNext(of: &state) }) {}
        }
        return hubs.compactMap { hub in hub.update { $0.scheduled.nextDue } }.min()
    }

    private func sendNext(of state: inout HubState) -> Bool {
        let now = environment.now()
        // This is checked first, because trying to take a send marks the state as changed even if
        // no send is due.
        guard let due = state.scheduled.nextDue, due <= now,
            let next = state.scheduled.takeDue(at: now)
        else { return false }
        state.deliver(
            next.send, id: next.id, enqueued: next.enqueued, now: now, fault: environment.refusal)
        return true
    }
}

/// Wakes the service for scheduled sends when a send may be due.
final class ScheduleAlarm: Sendable {
    /// The stream supports only one reader; several rings may be combined into one.
    let rings: AsyncStream<Void>

    private let continuation: AsyncStream<Void>.Continuation

    init() {
        (rings, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    func ring() {
        continuation.yield()
    }
}
