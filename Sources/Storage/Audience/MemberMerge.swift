import CampaignCore

/// Goes through several sorted parts as if they were one.
struct MemberMerge {
    /// A name whose first record and a later one do not hold the same.
    struct Repeat {
        fileprivate let name: [UInt8]
        fileprivate let first: Int64
        fileprivate let other: Int64

        /// Both places, of records whose numbers are origins.
        var example: ValueConflicts.Example {
            let username = Username(checked: String(decoding: name, as: UTF8.self))
            return ValueConflicts.Example(
                first: AudienceMember(username: username, origin: PackedOrigin.unpack(first)),
                other: AudienceMember(username: username, origin: PackedOrigin.unpack(other)))
        }
    }

    /// A heap: each cursor is at or before the two at twice its place.
    private var heap: [MemberCursor] = []
    private let skipsRepeats: Bool
    private var hasBegun = false
    private var previous: [UInt8] = []
    private var previousRest: [UInt8] = []
    private var previousNumber: Int64 = 0
    /// Set by ``next()`` where the name before the one that it returns came again with something else behind it.
    private(set) var repeated: Repeat?

    /// - Parameters:
    ///   - cursors: before their first records.
    ///   - skipsRepeats: whether of a name that comes again only the first record counts.
    /// - Throws: ``StoreError``.
    init(_ cursors: [MemberCursor], skipsRepeats: Bool) throws(StoreError) {
        self.skipsRepeats = skipsRepeats
        for cursor in cursors where try cursor.advance() { heap.append(cursor) }
        for place in stride(from: heap.count / 2 - 1, through: 0, by: -1) { sink(place) }
    }

    /// Goes on to the next record.
    ///
    /// - Returns: a cursor that stands at it until the next call; nil at the end.
    /// - Throws: ``StoreError``.
    mutating func next() throws(StoreError) -> MemberCursor? {
        if hasBegun, !heap.isEmpty { try step() }
        hasBegun = true
        guard skipsRepeats else { return heap.first }
        repeated = nil
        while let first = heap.first {
            if !previous.isEmpty, first.name.elementsEqual(previous) {
                if repeated == nil, !first.rest.elementsEqual(previousRest) {
                    repeated = Repeat(
                        name: previous, first: previousNumber, other: first.number)
                }
                try step()
                continue
            }
            previous.removeAll(keepingCapacity: true)
            previous += first.name
            previousRest.removeAll(keepingCapacity: true)
            previousRest += first.rest
            previousNumber = first.number
            return first
        }
        return nil
    }

    private mutating func step() throws(StoreError) {
        if try !heap[0].advance() {
            let last = heap.removeLast()
            if heap.isEmpty { return }
            heap[0] = last
        }
        sink(0)
    }

    private mutating func sink(_ place: Int) {
        var place = place
        while true {
            var least = place
            for child in [2 * place + 1, 2 * place + 2]
            where child < heap.count && isBefore(heap[child], heap[least]) {
                least = child
            }
            if least == place { return }
            heap.swapAt(place, least)
            place = least
        }
    }

    private func isBefore(_ left: MemberCursor, _ right: MemberCursor) -> Bool {
        let order = left.order(to: right)
        return order == 0 ? left.turn < right.turn : order < 0
    }
}
