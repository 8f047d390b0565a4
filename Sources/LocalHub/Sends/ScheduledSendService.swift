import Foundation
import ServiceLifecycle

/// Sends the scheduled sends of all hubs when their time has come.
///
/// It waits for the next one, and is woken when an earlier one comes in. Those that fell due while the hub
/// did not run go out as soon as it does.
struct ScheduledSendService: Service {
    /// The hubs, the clock and the alarm.
    let environment: HubEnvironment

    /// Sends until the task is cancelled or a graceful shutdown comes.
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
                        // Cancelled: another timer took its place, or the hub ends.
                    }
                }
            }
        }
    }

    /// Sends what is due, and returns when the next one is; nil when there is none.
    private func sendDue() -> Date? {
        environment.settleInstallations()
        let hubs = environment.namespace.all
        for hub in hubs {
            // One at a time, so that requests never wait for more than one send.
            while hub.update({ state in sendNext(of: &state) }) {}
        }
        return hubs.compactMap { hub in hub.update { $0.scheduled.nextDue } }.min()
    }

    private func sendNext(of state: inout HubState) -> Bool {
        let now = environment.now()
        // Asked first: taking a send marks the state as changed, also when there is none.
        guard let due = state.scheduled.nextDue, due <= now,
            let next = state.scheduled.takeDue(at: now)
        else { return false }
        state.deliver(
            next.send, id: next.id, enqueued: next.enqueued, now: now, fault: environment.refusal)
        return true
    }
}

/// Wakes the service of the scheduled sends when there may be something for it to do.
final class ScheduleAlarm: Sendable {
    /// One element for all rings since the last; for one reader.
    let rings: AsyncStream<Void>

    private let continuation: AsyncStream<Void>.Continuation

    /// Makes an alarm that has not rung.
    init() {
        (rings, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    func ring() {
        continuation.yield()
    }
}
