/// A queue of things that wait for a time, earliest first; what is due at the same time leaves in the order in which it came.
///
/// A binary heap: adding and taking cost the logarithm of the length.
struct RetryQueue<Element: Sendable>: Sendable {
    private struct Entry: Sendable {
        let due: Duration
        let order: Int
        let element: Element

        func precedes(_ other: Entry) -> Bool {
            due == other.due ? order < other.order : due < other.due
        }
    }

    private var heap: [Entry] = []
    private var added = 0

    var count: Int { heap.count }
    var isEmpty: Bool { heap.isEmpty }

    /// When the first is due; nil when nothing waits.
    var firstDue: Duration? { heap.first?.due }

    /// Lets an element wait.
    mutating func add(_ element: Element, due: Duration) {
        heap.append(Entry(due: due, order: added, element: element))
        added += 1
        rise(from: heap.count - 1)
    }

    /// Takes what is due.
    ///
    /// - Parameters:
    ///   - now: the time.
    ///   - limit: how many at most.
    /// - Returns: the elements, earliest first.
    mutating func takeDue(at now: Duration, limit: Int) -> [Element] {
        var taken: [Element] = []
        while taken.count < limit, let first = heap.first, first.due <= now {
            taken.append(first.element)
            let last = heap.removeLast()
            guard !heap.isEmpty else { break }
            heap[0] = last
            sink()
        }
        return taken
    }

    /// Takes elements out, whenever they are due.
    ///
    /// - Returns: the removed ones, in no order.
    @discardableResult
    mutating func removeAll(where isRemoved: (Element) -> Bool) -> [Element] {
        let kept = heap.filter { !isRemoved($0.element) }
        guard kept.count < heap.count else { return [] }
        let removed = heap.map(\.element).filter(isRemoved)
        heap = []
        for entry in kept {
            heap.append(entry)
            rise(from: heap.count - 1)
        }
        return removed
    }

    /// Takes all out but the first.
    ///
    /// - Returns: the removed ones, in no order.
    mutating func removeAllButFirst() -> [Element] {
        let removed = heap.dropFirst().map(\.element)
        heap.removeLast(removed.count)
        return removed
    }

    private mutating func rise(from start: Int) {
        var child = start
        while child > 0 {
            let parent = (child - 1) / 2
            guard heap[child].precedes(heap[parent]) else { return }
            heap.swapAt(child, parent)
            child = parent
        }
    }

    private mutating func sink() {
        var parent = 0
        while true {
            let left = 2 * parent + 1
            guard left < heap.count else { return }
            let right = left + 1
            let child = right < heap.count && heap[right].precedes(heap[left]) ? right : left
            guard heap[child].precedes(heap[parent]) else { return }
            heap.swapAt(child, parent)
            parent = child
        }
    }
}
