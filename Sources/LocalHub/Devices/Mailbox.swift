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
    mutating func letGo(through sequence: Int) {
        guard start < slots.count, let oldest = slots[start], oldest.sequence <= sequence else {
            return
        }
        letOldestGo()
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
