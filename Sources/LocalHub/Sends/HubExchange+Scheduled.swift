import Foundation
import HTTPTypes
import Hummingbird

extension HubExchange {
    /// How far ahead a send can be scheduled, in seconds: seven days.
    private static let window: Double = 7 * 86_400

    /// Schedules a send: `POST /{hub}/schedulednotifications`; a time in the past means now,
    /// because clocks may differ.
    func scheduleSend() throws(HubFailure) -> HubAnswer {
        guard let text = request.headers["servicebusnotification-scheduletime"] else {
            throw .badRequest("The header ServiceBusNotification-ScheduleTime is missing.")
        }
        guard let due = LenientDate.parse(text) else {
            throw .badRequest(
                "ServiceBusNotification-ScheduleTime is not a time; use a time such as "
                    + "2026-01-02T03:04:05Z.")
        }
        let send = try SendRequest(request)
        let now = environment.now()
        guard due.timeIntervalSince(now) <= Self.window else {
            throw .badRequest(
                "ServiceBusNotification-ScheduleTime is more than 7 days in the future.")
        }
        return try take(send) { () throws(HubFailure) in
            let id = NotificationID.makeScheduled(now: now, random: environment.random)
            if due <= now {
                try deliver(send, id: id)
            } else {
                try schedule(ScheduledSend(id: id, enqueued: now, due: due, send: send))
            }
            return taken(at: request.address(below: id))
        }
    }

    /// Cancels a scheduled send: `DELETE /{hub}/schedulednotifications/{id}`.
    func cancelScheduledSend(id: String) throws(HubFailure) -> Response {
        try hub.update { state throws(HubFailure) in
            guard let send = state.scheduled.remove(id: id) else { throw .unknownScheduledSend }
            state.notifications.add(send.record(sent: nil))
        }
        return response(.ok)
    }

    private func schedule(_ send: ScheduledSend) throws(HubFailure) {
        let isNext = try hub.update { state throws(HubFailure) in
            try state.scheduled.add(send)
            return state.scheduled.nextDue == send.due
        }
        if isNext { environment.alarm.ring() }
    }
}

extension HubFailure {
    fileprivate static let unknownScheduledSend = HubFailure(
        status: .notFound,
        detail: "There is no waiting notification with this id; it is unknown, or was already "
            + "sent or cancelled.")
}
