import Synchronization

/// Something that goes wrong with a send.
package enum LocalHubFault: Sendable, Hashable {
    /// Another answer instead of 201; the send takes no effect.
    ///
    /// The status is 200 to 599. The headers come on top of the usual ones.
    case answer(status: Int, headers: [String: String])
    /// No answer, until the client goes away or the hub shuts down.
    case hang(takesEffect: Bool)
    /// The connection is closed without an answer.
    case drop(takesEffect: Bool)

    /// Another answer instead of 201.
    package static func answer(status: Int, retryAfter: Int? = nil) -> LocalHubFault {
        .answer(status: status, headers: retryAfter.map { ["Retry-After": String($0)] } ?? [:])
    }
}

/// What a fault is decided by: one send that the hub would take.
package struct SendRequestSummary: Sendable, Hashable {
    /// Which send this is, counted from 1, over all that were authorised and well formed.
    package let ordinal: Int
    /// The push service that it is for; nil: a template send, for any.
    package let platform: LocalHubPlatform?
    /// The tag expression as sent; nil: a broadcast.
    package let tags: String?
    /// The size of the payload in bytes.
    package let bodyBytes: Int
}

/// Numbers the sends of a hub from 1.
final class SendCounter: Sendable {
    private let last = Atomic<Int>(0)

    /// The next number.
    func next() -> Int {
        last.add(1, ordering: .relaxed).newValue
    }
}
