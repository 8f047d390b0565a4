import LocalHub
import Synchronization
import TestSupport

/// Random faults of a hub, and a record of them.
final class FaultScript: Sendable {
    /// What the hub did with one request.
    enum Reaction: Hashable, Sendable {
        case taken
        /// Refused with a response that allows a retry.
        case throttled
        /// The client cannot know whether it took effect.
        case leftInDoubt(takesEffect: Bool)
    }

    private let reactions = Mutex<[String: [Reaction]]>([:])
    private let count = Counter()
    private let random: SeededGenerator

    /// - Parameter seed: makes the faults reproducible.
    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
    }

    /// Requests in order, by target such as `alice/apns`.
    var history: [String: [Reaction]] { reactions.withLock { $0 } }

    var requests: Int { count.value }

    /// Chooses the fault of a request: 5% get 500, 2% get 429, and 1% each are dropped before or
    /// after they take effect.
    ///
    /// Two early requests hang, one before and one after it takes effect, so that the test waits
    /// for timeouts only once.
    func fault(for send: SendRequestSummary) -> LocalHubFault? {
        var random = random
        let (reaction, fault) = Self.draw(
            Int.random(in: 0..<1_000, using: &random), for: count.add(1))
        let users = (send.tags ?? "").split(separator: "||").map { tag in
            String(tag.drop { $0 == " " }.dropFirst("username:".count).prefix { $0 != " " })
        }
        reactions.withLock { reactions in
            for user in users {
                reactions["\(user)/\(send.platform?.campaignName ?? "")", default: []].append(
                    reaction)
            }
        }
        return fault
    }

    private static func draw(_ lot: Int, for request: Int) -> (Reaction, LocalHubFault?) {
        if request == 20 {
            return (.leftInDoubt(takesEffect: false), .hang(takesEffect: false))
        }
        if request == 40 { return (.leftInDoubt(takesEffect: true), .hang(takesEffect: true)) }
        return switch lot {
        case 0..<50: (.leftInDoubt(takesEffect: false), .answer(status: 500))
        case 50..<60: (.throttled, .answer(status: 429, retryAfter: 0))
        case 60..<70: (.throttled, .answer(status: 429, retryAfter: 1))
        case 70..<80: (.leftInDoubt(takesEffect: false), .drop(takesEffect: false))
        case 80..<90: (.leftInDoubt(takesEffect: true), .drop(takesEffect: true))
        default: (.taken, nil)
        }
    }
}
