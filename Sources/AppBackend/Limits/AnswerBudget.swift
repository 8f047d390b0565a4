import CampaignCore
import Synchronization

/// Limits the bytes of large responses in flight, which stay in memory while clients read slowly.
///
/// One person may use an eighth of these bytes and one address half of them, because many people
/// may share an address. This way, clients that never read their responses leave room for others. A
/// person or address with nothing in flight may have one response of any size that still fits.
final class AnswerBudget: Sendable {
    struct Holder: Hashable, Sendable {
        let user: Username
        let address: LimitedAddress
    }

    /// The largest response that is not counted; the connection limit bounds such responses.
    static let largestSmall = 65_536
    private static let peopleThatFillIt = 8
    private static let addressesThatFillIt = 2

    private struct Used {
        var all = 0
        var people: [Username: Int] = [:]
        var addresses: [LimitedAddress: Int] = [:]
    }

    private let limit: Int
    private let used = Mutex(Used())

    /// - Parameter limit: in bytes.
    init(limit: Int) {
        self.limit = limit
    }

    func acquire(
        _ byteCount: Int, for holder: Holder
    ) throws(AnswerBudgetError) -> AnswerPermit {
        let problem = used.withLock { used -> AnswerBudgetError? in
            guard used.all + byteCount <= limit else { return .spent }
            let ofPerson = used.people[holder.user, default: 0]
            guard ofPerson == 0 || ofPerson + byteCount <= limit / Self.peopleThatFillIt else {
                return .spentByPerson
            }
            let ofAddress = used.addresses[holder.address, default: 0]
            guard ofAddress == 0 || ofAddress + byteCount <= limit / Self.addressesThatFillIt
            else { return .spentByAddress }
            used.all += byteCount
            used.people[holder.user] = ofPerson + byteCount
            used.addresses[holder.address] = ofAddress + byteCount
            return nil
        }
        if let problem { throw problem }
        return AnswerPermit(byteCount: byteCount, holder: holder, budget: self)
    }

    fileprivate func release(_ byteCount: Int, of holder: Holder) {
        used.withLock { used in
            used.all -= byteCount
            // Users and addresses with nothing in flight are removed.
            used.people.reduce(holder.user, by: byteCount)
            used.addresses.reduce(holder.address, by: byteCount)
        }
    }
}

extension Dictionary where Value == Int {
    fileprivate mutating func reduce(_ key: Key, by amount: Int) {
        let rest = self[key, default: 0] - amount
        self[key] = rest > 0 ? rest : nil
    }
}

/// Which limit of an ``AnswerBudget`` is reached; the description is for the audit.
enum AnswerBudgetError: String, Error {
    case spent = "too many bytes of responses are in flight"
    case spentByPerson = "too many bytes of responses to this user are in flight"
    case spentByAddress = "too many bytes of responses to this address are in flight"
}

/// Bytes reserved in an ``AnswerBudget`` until the response or its connection ends.
final class AnswerPermit: Sendable {
    private let byteCount: Int
    private let holder: AnswerBudget.Holder
    private let budget: AnswerBudget

    init(byteCount: Int, holder: AnswerBudget.Holder, budget: AnswerBudget) {
        self.byteCount = byteCount
        self.holder = holder
        self.budget = budget
    }

    deinit {
        budget.release(byteCount, of: holder)
    }
}
