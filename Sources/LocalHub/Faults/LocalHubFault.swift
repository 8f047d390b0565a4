import Synchronization

package enum LocalHubFault: Sendable, Hashable {
    /// Another answer (200 to 599) instead of 201, with headers besides the usual ones; the send
    /// takes no effect.
    case answer(status: Int, headers: [String: String])
    case hang(takesEffect: Bool)
    case drop(takesEffect: Bool)

    package static func answer(status: Int, retryAfter: Int? = nil) -> LocalHubFault {
        .answer(status: status, headers: retryAfter.map { ["Retry-After": String($0)] } ?? [:])
    }
}

/// What a fault is decided by: one send that the hub would take.
package struct SendRequestSummary: Sendable, Hashable {
    /// Which send this is, counted from 1, over all that were authorised and well formed.
    package let ordinal: Int
    /// nil: a template send, for any.
    package let platform: LocalHubPlatform?
    /// The tag expression as sent; nil: a broadcast.
    package let tags: String?
    package let bodyBytes: Int
}

final class SendCounter: Sendable {
    private let last = Atomic<Int>(0)

    func next() -> Int {
        last.add(1, ordering: .relaxed).newValue
    }
}
