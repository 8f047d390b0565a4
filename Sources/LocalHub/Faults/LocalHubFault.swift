import Synchronization

package enum LocalHubFault: Sendable, Hashable {
    /// The send has no effect and gets a status from 200 to 599 instead of 201, with extra headers.
    case answer(status: Int, headers: [String: String])
    case hang(takesEffect: Bool)
    case drop(takesEffect: Bool)

    package static func answer(status: Int, retryAfter: Int? = nil) -> LocalHubFault {
        .answer(status: status, headers: retryAfter.map { ["Retry-After": String($0)] } ?? [:])
    }
}

/// A send that the hub would accept; used to choose a fault.
package struct SendRequestSummary: Sendable, Hashable {
    /// The number of this send among all authorised and well-formed sends, from 1.
    package let ordinal: Int
    /// The platform; nil for a template send, which reaches any platform.
    package let platform: LocalHubPlatform?
    /// The tag expression as sent; nil for a broadcast.
    package let tags: String?
    package let bodyBytes: Int
}

final class SendCounter: Sendable {
    private let last = Atomic<Int>(0)

    func next() -> Int {
        last.add(1, ordering: .relaxed).newValue
    }
}
