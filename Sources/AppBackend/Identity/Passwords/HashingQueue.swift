/// A queue of passwords to hash, each with its client's address.
///
/// A client that floods the queue does not delay others. The password from the address with the
/// fewest failures goes first; ties go to the newest password, because its client is still waiting.
/// When the queue is full, the address with the most failures loses its oldest password; in a tie,
/// the address with the most waiting passwords does. Waiting is not a failure, so colleagues who
/// share an address are not penalised.
struct HashingQueue<Work: Sendable>: Sendable {
    private struct Entry {
        let work: Work
        let address: LimitedAddress
        let failures: Int
        let number: Int
    }

    enum Arrival {
        case waits
        case displaces(Work)
        case refused
    }

    private let limit: Int
    private let limitOfAnAddress: Int
    private var entries: [Entry] = []
    private var arrivals = 0

    init(limit: Int, limitOfAnAddress: Int) {
        self.limit = limit
        self.limitOfAnAddress = limitOfAnAddress
    }

    var count: Int { entries.count }

    mutating func add(_ work: Work, from address: LimitedAddress, failures: Int) -> Arrival {
        guard entries.count(where: { $0.address == address }) < limitOfAnAddress else {
            return .refused
        }
        arrivals += 1
        entries.append(
            Entry(work: work, address: address, failures: failures, number: arrivals))
        guard entries.count > limit, let loser = loser else { return .waits }
        let lost = entries.remove(at: loser)
        return lost.number == arrivals ? .refused : .displaces(lost.work)
    }

    mutating func next() -> Work? {
        let next = entries.indices.min { left, right in
            (entries[left].failures, -entries[left].number)
                < (entries[right].failures, -entries[right].number)
        }
        return next.map { entries.remove(at: $0).work }
    }

    /// The index of the entry to drop: the oldest entry of the address with the most failures; in a
    /// tie, of the address with the most waiting entries.
    private var loser: Int? {
        var waiting: [LimitedAddress: Int] = [:]
        var failures: [LimitedAddress: Int] = [:]
        var oldest: [Int] = []
        for (index, entry) in entries.enumerated() {
            waiting[entry.address, default: 0] += 1
            failures[entry.address] = max(failures[entry.address] ?? 0, entry.failures)
            if waiting[entry.address] == 1 { oldest.append(index) }
        }
        return oldest.max { left, right in
            rank(entries[left]) < rank(entries[right])
        }

        func rank(_ entry: Entry) -> (Int, Int, Int) {
            (failures[entry.address] ?? 0, waiting[entry.address] ?? 0, -entry.number)
        }
    }
}
