import CampaignCore
import FoundationEssentials

/// The receipts that wait to be written, within a bound, and who waits for them or for room.
struct ReceiptQueue: Sendable {
    typealias Reader = CheckedContinuation<Void, any Error>
    typealias Waiter = CheckedContinuation<Void, Never>

    struct Entry: Sendable {
        let receipt: Receipt
        /// Who waits until it is durable; nil: nobody, or nobody any more.
        var reader: Reader?
    }

    let capacity: Int
    private(set) var entries: [Entry] = []
    private(set) var isClosed = false
    /// Room that is kept for answers on their way.
    private var reserved = 0
    private var underWay = 0
    private var waiters: [Waiter] = []

    init(capacity: Int) {
        self.capacity = capacity
    }

    private var isFull: Bool { entries.count + reserved + underWay >= capacity }

    // MARK: Coming in

    /// Adds a receipt that somebody waits for; false when there is no room, or it is the end.
    mutating func add(_ receipt: Receipt, reader: Reader) -> Bool {
        guard !isClosed, !isFull else { return false }
        entries.append(Entry(receipt: receipt, reader: reader))
        return true
    }

    /// Keeps room for one; false when there is none.
    ///
    /// At the end there is, since nobody may wait any more.
    mutating func reserve() -> Bool {
        guard isClosed || !isFull else { return false }
        reserved += 1
        return true
    }

    /// Uses the room that was kept, or with nil gives it back.
    ///
    /// - Returns: false when the receipt came too late to be written.
    mutating func settle(_ receipt: Receipt?) -> Bool {
        reserved -= 1
        guard let receipt else { return true }
        guard !isClosed else { return false }
        entries.append(Entry(receipt: receipt, reader: nil))
        return true
    }

    // MARK: Waiting for room

    /// Lets somebody wait for room; false when there is some, or it is the end.
    mutating func wait(_ waiter: Waiter) -> Bool {
        guard !isClosed, isFull else { return false }
        waiters.append(waiter)
        return true
    }

    /// Takes out those who may look again whether there is room.
    mutating func takeWaiters() -> [Waiter] {
        guard !waiters.isEmpty, isClosed || !isFull else { return [] }
        defer { waiters = [] }
        return waiters
    }

    // MARK: Going out

    /// Takes out the oldest to be written; empty when there are none.
    mutating func take(_ limit: Int) -> [Entry] {
        let batch = Array(entries.prefix(limit))
        entries.removeFirst(batch.count)
        underWay = batch.count
        return batch
    }

    /// What was taken out is durable.
    mutating func written() {
        underWay = 0
    }

    /// Puts back, at the end, what could not be written.
    ///
    /// - Returns: those who have waited since before a time, and wait no longer.
    mutating func putBack(_ batch: [Entry], patientSince time: Date) -> [Reader] {
        underWay = 0
        entries += batch
        var impatient: [Reader] = []
        for index in entries.indices where entries[index].receipt.time <= time {
            guard let reader = entries[index].reader else { continue }
            impatient.append(reader)
            entries[index].reader = nil
        }
        return impatient
    }

    /// From now on nothing comes in.
    mutating func close() {
        isClosed = true
    }
}
