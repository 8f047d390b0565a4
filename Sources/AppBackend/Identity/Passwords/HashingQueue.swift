/// The passwords that wait to be hashed, each with the address that it came from.
///
/// A client that floods the queue holds up nobody else. The password whose address has failed least
/// goes first, and among equals the newest, whose client has not given up yet. When the queue is
/// full, the address that has failed most loses its oldest password; among equals, the address with
/// most waiting. Waiting alone does not count as failing, so that colleagues behind one address are
/// not put at a disadvantage. The queue is pure: each change returns which passwords were let in or dropped.
struct HashingQueue<Work: Sendable>: Sendable {
    private struct Entry {
        let work: Work
        let address: LimitedAddress
        let failures: Int
        /// Rises with each entry.
        let number: Int
    }

    /// What the queue did with a password that was handed to it.
    enum Arrival {
        /// It waits.
        case waits
        /// It waits, and another lost its place to it.
        case displaces(Work)
        /// There is no room for it.
        case refused
    }

    private let limit: Int
    private let limitOfAnAddress: Int
    private var entries: [Entry] = []
    private var arrivals = 0

    /// Makes an empty queue.
    init(limit: Int, limitOfAnAddress: Int) {
        self.limit = limit
        self.limitOfAnAddress = limitOfAnAddress
    }

    /// How many wait.
    var count: Int { entries.count }

    /// Takes a password.
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

    /// Takes the next one out; nil when none waits.
    mutating func next() -> Work? {
        let next = entries.indices.min { left, right in
            (entries[left].failures, -entries[left].number)
                < (entries[right].failures, -entries[right].number)
        }
        return next.map { entries.remove(at: $0).work }
    }

    /// The index of the entry that gives way: the oldest of the address that has failed most; among
    /// equals of the address with most waiting, and then the one that has waited longest.
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
