import HeapModule

/// A queue of things that wait for a time, earliest first; what is due at the same time leaves in the order in which it came.
///
/// Adding and taking cost the logarithm of the length.
struct RetryQueue<Element: Sendable>: Sendable {
    private struct Entry: Comparable, Sendable {
        let due: Duration
        /// How many came before it.
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

    /// When the first is due; nil when nothing waits.
    var firstDue: Duration? { heap.min?.due }

    /// Lets an element wait.
    mutating func add(_ element: Element, due: Duration) {
        heap.insert(Entry(due: due, order: added, element: element))
        added += 1
    }

    /// Takes what is due.
    ///
    /// - Parameters:
    ///   - now: the time.
    ///   - limit: how many at most.
    /// - Returns: the elements, earliest first.
    mutating func takeDue(at now: Duration, limit: Int) -> [Element] {
        var taken: [Element] = []
        while taken.count < limit, let first = heap.min, first.due <= now {
            taken.append(first.element)
            heap.removeMin()
        }
        return taken
    }

    /// Takes elements out, whenever they are due.
    ///
    /// - Returns: the removed ones, in no order.
    @discardableResult
    mutating func removeAll(where isRemoved: (Element) -> Bool) -> [Element] {
        let removed = heap.unordered.map(\.element).filter(isRemoved)
        if !removed.isEmpty { heap.removeAll { isRemoved($0.element) } }
        return removed
    }

    /// Takes all out but the first.
    ///
    /// - Returns: the removed ones, in no order.
    mutating func removeAllButFirst() -> [Element] {
        guard let first = heap.popMin() else { return [] }
        let removed = heap.unordered.map(\.element)
        heap = [first]
        return removed
    }
}
