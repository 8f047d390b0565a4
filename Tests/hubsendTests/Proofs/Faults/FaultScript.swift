import LocalHub
import Synchronization
import TestSupport

/// What goes wrong at a hub, by lot, and a record of it.
final class FaultScript: Sendable {
    /// What the hub did with one request.
    enum Deed: Hashable, Sendable {
        case taken
        /// Refused by an answer that says that it may be tried again.
        case throttled
        /// The client cannot know whether it was taken.
        case leftInDoubt(takesEffect: Bool)
    }

    private let deeds = Mutex<[String: [Deed]]>([:])
    private let count = Counter()
    private let random: SeededGenerator

    /// - Parameter seed: the same seed deals the same lots.
    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
    }

    /// What the hub did, in order, by target such as `alice/apns`.
    var history: [String: [Deed]] { deeds.withLock { $0 } }

    /// How many requests there were.
    var requests: Int { count.value }

    /// Decides about a request: 5 % answers of 500, 2 % of 429, 1 % dropped before and 1 % after they took effect.
    ///
    /// One before and one after it took effect hang, both early, so that what waits for them waits only once.
    func fault(for send: SendRequestSummary) -> LocalHubFault? {
        var random = random
        let (deed, fault) = Self.draw(
            Int.random(in: 0..<1_000, using: &random), for: count.add(1))
        let users = (send.tags ?? "").split(separator: "||").map { tag in
            String(tag.drop { $0 == " " }.dropFirst("username:".count).prefix { $0 != " " })
        }
        deeds.withLock { deeds in
            for user in users {
                deeds["\(user)/\(send.platform?.campaignName ?? "")", default: []].append(deed)
            }
        }
        return fault
    }

    private static func draw(_ lot: Int, for request: Int) -> (Deed, LocalHubFault?) {
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
