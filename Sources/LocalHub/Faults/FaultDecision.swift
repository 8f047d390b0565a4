import HTTPTypes

import struct Foundation.Date

struct FaultDecision: Sendable, Hashable {
    /// The delay of the response: the sum of all latency rules.
    var delay = Duration.zero
    /// The speed of the response in bytes per second; the slowest rule applies.
    var bytesPerSecond: Int?
    /// The fault that replaces the response; the first matching rule applies.
    var fault: LocalHubFault?

    var isNothing: Bool { delay == .zero && bytesPerSecond == nil && fault == nil }
}

extension FaultDecision {
    /// Runs an operation and applies the faults; an error becomes a response, so that it is delayed
    /// like any other response.
    func applied(
        _ tracking: RequestTracking, at time: Date, _ operation: () throws(HubFailure) -> HubAnswer
    ) throws(HubFailure) -> HubAnswer {
        guard !isNothing else { return try operation() }
        let answer: HubAnswer
        do {
            answer = try changed(operation)
        } catch {
            answer = .response(error.response(tracking, at: time))
        }
        guard delay > .zero || bytesPerSecond != nil else { return answer }
        return .late(answer, delay: delay, bytesPerSecond: bytesPerSecond)
    }

    private func changed(
        _ operation: () throws(HubFailure) -> HubAnswer
    ) throws(HubFailure) -> HubAnswer {
        switch fault {
        case nil:
            return try operation()
        case .answer(let status, let headers):
            throw HubFailure(
                status: HTTPResponse.Status(code: min(max(status, 200), 599)),
                detail: "The local hub injected this fault.", headers: headers)
        case .hang(let takesEffect):
            if takesEffect { _ = try operation() }
            return .hang
        case .drop(let takesEffect):
            if takesEffect { _ = try operation() }
            return .drop
        }
    }
}
