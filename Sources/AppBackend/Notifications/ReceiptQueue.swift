import CampaignCore
import FoundationEssentials

/// A bounded queue of receipts, and of the requests that wait for them or for room.
///
/// All fetches of a notification by one person share one place in the queue, and all reads share
/// another.
struct ReceiptQueue: Sendable {
    typealias Reader = CheckedContinuation<Void, any Error>
    typealias Waiter = AsyncStream<Never>.Continuation

    private struct Key: Hashable, Sendable {
        let place: ReceiptKey
        let kind: Receipt.Kind

        init(_ receipt: Receipt) {
            place = receipt.place
            kind = receipt.kind
        }

        init(fetched place: ReceiptKey) {
            self.place = place
            kind = .fetched
        }
    }

    private struct Entry: Sendable {
        /// Responses in flight that may produce this receipt.
        var answers = 0
        /// Whether a receipt was accepted; a second receipt would add nothing.
        var isTaken = false
        var isWritten = false
        var readers: [(reader: Reader, since: Date)] = []

        var isOver: Bool { answers == 0 && isTaken == isWritten }

        /// Accepts the receipt; returns false if one was already accepted.
        mutating func take() -> Bool {
            defer { isTaken = true }
            return !isTaken
        }
    }

    let capacity: Int
    private(set) var isClosed = false
    /// When writing began to fail; nil while it succeeds.
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

    // MARK: Adding receipts

    /// Adds a receipt that a request waits for; returns false if there is no room or the queue is
    /// closed.
    mutating func add(_ receipt: Receipt, reader: Reader) -> Bool {
        let key = Key(receipt)
        guard !isClosed, !isFull || entries[key] != nil else { return false }
        if entries[key, default: Entry()].take() { line.append(receipt) }
        entries[key]?.readers.append((reader, receipt.time))
        return true
    }

    /// Reserves room for a `fetched` receipt; returns false if there is none.
    ///
    /// After ``close()`` there is always room, because waiting is no longer possible.
    mutating func reserve(_ place: ReceiptKey) -> Bool {
        let key = Key(fetched: place)
        guard isClosed || !isFull || entries[key] != nil else { return false }
        entries[key, default: Entry()].answers += 1
        return true
    }

    /// Uses the reserved room, or gives it back if `time` is nil; returns false if the receipt came
    /// too late.
    mutating func settle(_ place: ReceiptKey, fetched time: Date?) -> Bool {
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

    /// Waits for room; returns a number for ``stopWaiting(_:)``, or nil if there is room or the
    /// queue is closed.
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

    // MARK: Writing receipts

    mutating func take(_ limit: Int) -> [Receipt] {
        // Usually this takes the whole queue, which is cheap.
        guard line.count > limit else { return exchange(&line, with: []) }
        defer { line.removeFirst(limit) }
        return Array(line[..<limit])
    }

    /// Marks a batch as durable; returns the requests that waited for it.
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

    /// Puts a failed batch back at the end of the queue; returns the requests that have waited for
    /// `timeout` seconds.
    mutating func putBack(
        _ batch: [Receipt], at time: Date, timeout: TimeInterval
    ) -> [Reader] {
        failingSince = failingSince ?? time
        line += batch
        var impatient: [Reader] = []
        for (key, entry) in entries where !entry.readers.isEmpty {
            let isImpatient = { (since: Date) in time.timeIntervalSince(since) >= timeout }
            impatient += entry.readers.filter { isImpatient($0.since) }.map(\.reader)
            entries[key]?.readers.removeAll { isImpatient($0.since) }
        }
        return impatient
    }

    /// Drops the remaining receipts; returns their number and the requests that waited for them.
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
