import CampaignCore
import FoundationEssentials

/// The bounded queue of receipts, with the requests that wait for them or for room.
///
/// Fetching a notification takes one place, however often somebody does it; so does reading it.
struct ReceiptQueue: Sendable {
    typealias Reader = CheckedContinuation<Void, any Error>
    typealias Waiter = AsyncStream<Never>.Continuation

    private struct Key: Hashable, Sendable {
        let place: ReceiptPlace
        let kind: Receipt.Kind

        init(_ receipt: Receipt) {
            place = receipt.place
            kind = receipt.kind
        }

        init(fetched place: ReceiptPlace) {
            self.place = place
            kind = .fetched
        }
    }

    private struct Entry: Sendable {
        /// Answers in flight that may bring the receipt.
        var answers = 0
        /// Whether the receipt was taken; a second one would add nothing.
        var isTaken = false
        var isWritten = false
        var readers: [(reader: Reader, since: Date)] = []

        var isOver: Bool { answers == 0 && isTaken == isWritten }

        /// Takes the receipt; false when it was taken before.
        mutating func take() -> Bool {
            defer { isTaken = true }
            return !isTaken
        }
    }

    let capacity: Int
    private(set) var isClosed = false
    /// Nil while writing works.
    private(set) var failingSince: Date?
    private var entries: [Key: Entry] = [:]
    /// The receipts to write, oldest first.
    private var line: [Receipt] = []
    private var waiters: [Int: Waiter] = [:]
    private var lastWaiter = 0

    init(capacity: Int) {
        self.capacity = capacity
    }

    var count: Int { line.count }

    private var isFull: Bool { entries.count >= capacity }

    // MARK: Coming in

    /// Adds a receipt that somebody waits for; false when there is no room or the queue is closed.
    mutating func add(_ receipt: Receipt, reader: Reader) -> Bool {
        let key = Key(receipt)
        guard !isClosed, !isFull || entries[key] != nil else { return false }
        if entries[key, default: Entry()].take() { line.append(receipt) }
        entries[key]?.readers.append((reader, receipt.time))
        return true
    }

    /// Reserves room for a `fetched`; false when there is none.
    ///
    /// After ``close()`` there always is room, since nobody may wait any more.
    mutating func reserve(_ place: ReceiptPlace) -> Bool {
        let key = Key(fetched: place)
        guard isClosed || !isFull || entries[key] != nil else { return false }
        entries[key, default: Entry()].answers += 1
        return true
    }

    /// Uses the reserved room, or gives it back without a time; false if the receipt came too late.
    mutating func settle(_ place: ReceiptPlace, fetched time: Date?) -> Bool {
        let key = Key(fetched: place)
        guard let index = entries.index(forKey: key) else { return time == nil }
        defer { removeIfOver(index) }
        entries.values[index].answers -= 1
        guard let time else { return true }
        guard !isClosed else { return entries.values[index].isTaken }
        if entries.values[index].take() {
            line.append(Receipt(place: place, kind: .fetched, time: time))
        }
        return true
    }

    private mutating func removeIfOver(_ index: Dictionary<Key, Entry>.Index) {
        if entries.values[index].isOver { entries.remove(at: index) }
    }

    // MARK: Waiting for room

    /// Waits for room; returns the number for ``stopWaiting(_:)``, nil if there is room or it is
    /// closed.
    mutating func wait(_ waiter: Waiter) -> Int? {
        guard !isClosed, isFull else { return nil }
        lastWaiter += 1
        waiters[lastWaiter] = waiter
        return lastWaiter
    }

    mutating func stopWaiting(_ number: Int) {
        waiters[number] = nil
    }

    mutating func takeWaiters() -> [Waiter] {
        guard !waiters.isEmpty, isClosed || !isFull else { return [] }
        defer { waiters = [:] }
        return Array(waiters.values)
    }

    // MARK: Going out

    mutating func take(_ limit: Int) -> [Receipt] {
        // Usually all of them, which moves nothing.
        guard line.count > limit else { return exchange(&line, with: []) }
        defer { line.removeFirst(limit) }
        return Array(line[..<limit])
    }

    /// Marks a batch as durable; returns those who waited for it.
    mutating func written(_ batch: [Receipt]) -> [Reader] {
        failingSince = nil
        var readers: [Reader] = []
        for receipt in batch {
            guard let index = entries.index(forKey: Key(receipt)) else { continue }
            readers += entries.values[index].readers.map(\.reader)
            entries.values[index].readers = []
            entries.values[index].isWritten = true
            removeIfOver(index)
        }
        return readers
    }

    /// Puts a failed batch back, at the end; returns those whose patience, in seconds, is over.
    mutating func putBack(
        _ batch: [Receipt], at time: Date, patience: TimeInterval
    ) -> [Reader] {
        failingSince = failingSince ?? time
        line += batch
        var impatient: [Reader] = []
        for (key, entry) in entries where !entry.readers.isEmpty {
            let isImpatient = { (since: Date) in time.timeIntervalSince(since) >= patience }
            impatient += entry.readers.filter { isImpatient($0.since) }.map(\.reader)
            entries[key]?.readers.removeAll { isImpatient($0.since) }
        }
        return impatient
    }

    /// Gives up the rest; returns how many receipts are lost, and who waited for them.
    mutating func giveUp() -> (count: Int, readers: [Reader]) {
        defer { line = [] }
        let readers = entries.values.flatMap { $0.readers.map(\.reader) }
        for key in entries.keys { entries[key]?.readers = [] }
        return (line.count, readers)
    }

    mutating func close() {
        isClosed = true
    }
}
