import HeapModule

/// A queue ordered by due time; elements due at the same time keep their order.
///
/// Adding or removing an element takes logarithmic time.
struct RetryQueue<Element: Sendable>: Sendable {
    private struct Entry: Comparable, Sendable {
        let due: Duration
        let order: Int
        let element: Element

        static func == (one: Entry, other: Entry) -> Bool { one.order == other.order }

        static func < (one: Entry, other: Entry) -> Bool {
            one.due == other.due ? one.order < other.order : one.due < other.due
        }
    }

    private var heap = Heap<Entry>()
    private var added = 0

    var count: Int { heap.count }
    var isEmpty: Bool { heap.isEmpty }

    var firstDue: Duration? { heap.min?.due }

    mutating func add(_ element: Element, due: Duration) {
        heap.insert(Entry(due: due, order: added, element: element))
        added += 1
    }

    mutating func takeDue(at now: Duration, limit: Int) -> [Element] {
        var taken: [Element] = []
        while taken.count < limit, let first = heap.min, first.due <= now {
            taken.append(first.element)
            heap.removeMin()
        }
        return taken
    }

    /// Returns the removed elements, in no particular order.
    @discardableResult
    mutating func removeAll(where isRemoved: (Element) -> Bool) -> [Element] {
        let removed = heap.unordered.map(\.element).filter(isRemoved)
        if !removed.isEmpty { heap.removeAll { isRemoved($0.element) } }
        return removed
    }

    /// Returns the removed elements, in no particular order.
    mutating func removeAllButFirst() -> [Element] {
        guard let first = heap.popMin() else { return [] }
        let removed = heap.unordered.map(\.element)
        heap = [first]
        return removed
    }
}
