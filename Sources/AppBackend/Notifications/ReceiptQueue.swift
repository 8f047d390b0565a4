import CampaignCore
import FoundationEssentials

/// The receipts that wait to be written, up to a bound, and who waits for them or for room.
///
/// Fetching a notification takes one place however often somebody does it, and so does reading it.
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

    /// One place of the queue.
    private struct Entry: Sendable {
        /// Answers on their way that may bring the receipt.
        var answers = 0
        /// Whether the receipt was taken; a second one would say nothing new.
        var isTaken = false
        var isWritten = false
        /// Who waits until it is durable.
        var readers: [(reader: Reader, since: Date)] = []

        /// Whether the place is no longer needed.
        var isOver: Bool { answers == 0 && isTaken == isWritten }
    }

    let capacity: Int
    private(set) var isClosed = false
    /// Since when nothing can be written; nil when writing works.
    private(set) var failingSince: Date?
    private var entries: [Key: Entry] = [:]
    /// Those to be written, the oldest first.
    private var line: [Receipt] = []
    private var waiters: [Int: Waiter] = [:]
    private var lastWaiter = 0

    init(capacity: Int) {
        self.capacity = capacity
    }

    /// How many receipts wait to be written.
    var count: Int { line.count }

    private var isFull: Bool { entries.count >= capacity }

    // MARK: Coming in

    /// Adds a receipt that somebody waits for; false when there is no room, or the queue is closed.
    mutating func add(_ receipt: Receipt, reader: Reader) -> Bool {
        let key = Key(receipt)
        guard !isClosed, entries[key] != nil || !isFull else { return false }
        var entry = entries[key] ?? Entry()
        if !entry.isTaken { line.append(receipt) }
        entry.isTaken = true
        entry.readers.append((reader, receipt.time))
        entries[key] = entry
        return true
    }

    /// Reserves room for a `fetched`; false when there is none.
    ///
    /// After ``close()`` there always is, since nobody may wait any more.
    mutating func reserve(_ place: ReceiptPlace) -> Bool {
        let key = Key(fetched: place)
        guard isClosed || entries[key] != nil || !isFull else { return false }
        entries[key, default: Entry()].answers += 1
        return true
    }

    /// Uses the room that was reserved, or without a time gives it back.
    ///
    /// - Returns: false when the receipt came too late to be written.
    mutating func settle(_ place: ReceiptPlace, fetched time: Date?) -> Bool {
        let key = Key(fetched: place)
        guard var entry = entries[key] else { return time == nil }
        defer { entries[key] = entry.isOver ? nil : entry }
        entry.answers -= 1
        guard let time, !entry.isTaken else { return true }
        guard !isClosed else { return false }
        line.append(Receipt(place: place, kind: .fetched, time: time))
        entry.isTaken = true
        return true
    }

    // MARK: Waiting for room

    /// Lets somebody wait for room; nil when there is room, or the queue is closed.
    ///
    /// - Returns: what to name to ``stopWaiting(_:)``.
    mutating func wait(_ waiter: Waiter) -> Int? {
        guard !isClosed, isFull else { return nil }
        lastWaiter += 1
        waiters[lastWaiter] = waiter
        return lastWaiter
    }

    /// Forgets somebody who waits no longer.
    mutating func stopWaiting(_ number: Int) {
        waiters[number] = nil
    }

    /// Takes out those waiters who may try again.
    mutating func takeWaiters() -> [Waiter] {
        guard !waiters.isEmpty, isClosed || !isFull else { return [] }
        defer { waiters = [:] }
        return Array(waiters.values)
    }

    // MARK: Going out

    /// Takes out the oldest to be written; empty when there are none.
    mutating func take(_ limit: Int) -> [Receipt] {
        let batch = Array(line.prefix(limit))
        line.removeFirst(batch.count)
        return batch
    }

    /// What was taken out is durable.
    ///
    /// - Returns: who waited for that.
    mutating func written(_ batch: [Receipt]) -> [Reader] {
        failingSince = nil
        var readers: [Reader] = []
        for key in batch.lazy.map(Key.init) {
            guard var entry = entries[key] else { continue }
            readers += entry.readers.map(\.reader)
            entry.readers = []
            entry.isWritten = true
            entries[key] = entry.isOver ? nil : entry
        }
        return readers
    }

    /// Puts back, at the end, what could not be written.
    ///
    /// - Parameters:
    ///   - batch: what it was.
    ///   - time: the current time.
    ///   - patience: how long somebody waits, in seconds.
    /// - Returns: those who wait no longer.
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

    /// Gives up what is left at the end.
    ///
    /// - Returns: how many receipts are lost, and who waited for them.
    mutating func giveUp() -> (count: Int, readers: [Reader]) {
        defer { line = [] }
        let readers = entries.values.flatMap { $0.readers.map(\.reader) }
        for key in entries.keys { entries[key]?.readers = [] }
        return (line.count, readers)
    }

    /// From now on nothing comes in.
    mutating func close() {
        isClosed = true
    }
}
