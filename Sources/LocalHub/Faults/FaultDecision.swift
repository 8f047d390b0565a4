import HTTPTypes

import struct Foundation.Date

struct FaultDecision: Sendable, Hashable {
    /// How much later the answer comes: all rules on latency together.
    var delay = Duration.zero
    /// How slowly the answer comes, in bytes a second; the slowest rule counts.
    var bytesPerSecond: Int?
    /// What happens instead of the answer; the first rule counts.
    var fault: LocalHubFault?

    var isNothing: Bool { delay == .zero && bytesPerSecond == nil && fault == nil }
}

extension FaultDecision {
    /// Does an operation with what goes wrong; a refusal becomes an answer, so that it is as slow
    /// as any.
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
                detail: "The local hub was told to answer this.", headers: headers)
        case .hang(let takesEffect):
            if takesEffect { _ = try operation() }
            return .hang
        case .drop(let takesEffect):
            if takesEffect { _ = try operation() }
            return .drop
        }
    }
}
