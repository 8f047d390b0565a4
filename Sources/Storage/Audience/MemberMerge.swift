/// Goes through several sorted parts as if they were one.
struct MemberMerge {
    /// A heap: each cursor is at or before the two at twice its place.
    private var heap: [MemberCursor] = []
    private let skipsRepeats: Bool
    private var hasBegun = false
    private var previous: [UInt8] = []

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
        while let first = heap.first {
            if !previous.isEmpty, first.name.elementsEqual(previous) {
                try step()
                continue
            }
            previous.removeAll(keepingCapacity: true)
            previous += first.name
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
