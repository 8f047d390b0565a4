/// The newest pushes of one device, oldest first, and how many there were in all.
struct Mailbox: Sendable {
    /// A push with its number among all pushes of the hub.
    struct Entry: Sendable {
        let sequence: Int
        let push: ReceivedPush
    }

    private var slots: [Entry?] = []
    private var start = 0
    /// How many pushes have come in, those let go included.
    private(set) var count = 0

    /// How many pushes are still kept.
    var keptCount: Int { slots.count - start }

    /// The pushes still kept, oldest first.
    var entries: [Entry] {
        slots[start...].compactMap(\.self)
    }

    /// The pushes still kept behind a number, oldest first.
    ///
    /// - Parameter sequence: a push's number among all pushes of the hub.
    /// - Returns: the pushes; costs as much as there are of them.
    func entries(after sequence: Int) -> [Entry] {
        let newer = slots[start...].reversed().prefix { $0.map { $0.sequence > sequence } ?? false }
        return newer.reversed().compactMap(\.self)
    }

    /// The number of the newest push still kept; nil when there is none.
    var newest: Int? { start < slots.count ? slots.last??.sequence : nil }

    /// The push of a number; nil when it is not here.
    ///
    /// - Parameter sequence: a push's number among all pushes of the hub.
    /// - Returns: the push; costs the logarithm of how many are kept.
    func entry(_ sequence: Int) -> Entry? {
        let place = place(from: sequence)
        guard place < slots.count, slots[place]?.sequence == sequence else { return nil }
        return slots[place]
    }

    /// Some of the pushes still kept within a range of numbers: those at one end of it.
    ///
    /// - Parameters:
    ///   - range: numbers among all pushes of the hub.
    ///   - limit: the most pushes.
    ///   - newestFirst: whether to begin with the newest of them, or with the oldest.
    /// - Returns: the pushes in that order; costs as much as there are of them.
    func entries(in range: Range<Int>, limit: Int, newestFirst: Bool) -> [Entry] {
        let found = slots[place(from: range.lowerBound)..<place(from: range.upperBound)]
        return newestFirst
            ? found.suffix(limit).reversed().compactMap(\.self)
            : found.prefix(limit).compactMap(\.self)
    }

    /// Lets the pushes up to a number go; they still count.
    ///
    /// - Parameter sequence: the number of the newest push that may go.
    /// - Returns: how many went.
    mutating func clear(through sequence: Int) -> Int {
        let end = place(from: sequence + 1)
        defer {
            slots = Array(slots[end...])
            start = 0
        }
        return end - start
    }

    /// Adds a push, and lets the oldest go when there are too many.
    ///
    /// - Parameters:
    ///   - push: the push.
    ///   - sequence: its number among all pushes of the hub, greater than any before.
    ///   - limit: the most pushes kept, at least 1.
    mutating func add(_ push: ReceivedPush, sequence: Int, limit: Int) {
        slots.append(Entry(sequence: sequence, push: push))
        count += 1
        if slots.count - start > limit { letOldestGo() }
    }

    /// Lets the oldest push go if it is the one of a number, or older.
    ///
    /// - Parameter sequence: a push's number among all pushes of the hub.
    /// - Returns: whether one has gone.
    mutating func letGo(through sequence: Int) -> Bool {
        guard start < slots.count, let oldest = slots[start], oldest.sequence <= sequence else {
            return false
        }
        letOldestGo()
        return true
    }

    /// The place of the oldest push from a number on; behind the last one when there is none.
    private func place(from sequence: Int) -> Int {
        var range = start..<slots.count
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            let isBefore = slots[middle].map { $0.sequence < sequence } ?? true
            range = isBefore ? middle + 1..<range.upperBound : range.lowerBound..<middle
        }
        return range.lowerBound
    }

    private mutating func letOldestGo() {
        slots[start] = nil
        start += 1
        // Moving the rest to the front only now and then keeps the cost of each push constant.
        guard start > 16, start * 2 > slots.count else { return }
        slots.removeFirst(start)
        start = 0
    }
}
