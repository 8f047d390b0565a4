import TestSupport
import Testing

@testable import Delivery

@Suite(.bounded) struct RetryQueueTests {
    @Test("Only due entries leave the queue, earliest first")
    func onlyDueEntriesLeaveTheQueueEarliestFirst() {
        var queue = RetryQueue<String>()
        queue.add("late", due: .seconds(9))
        queue.add("soon", due: .seconds(1))
        queue.add("next", due: .seconds(2))
        #expect(queue.firstDue == .seconds(1))
        #expect(queue.takeDue(at: .milliseconds(999), limit: 10).isEmpty)
        #expect(queue.takeDue(at: .seconds(2), limit: 10) == ["soon", "next"])
        #expect(queue.count == 1)
        #expect(queue.takeDue(at: .seconds(9), limit: 10) == ["late"])
        #expect(queue.isEmpty)
    }

    @Test("Entries due at the same time keep their order")
    func entriesDueAtTheSameTimeKeepTheirOrder() {
        var queue = RetryQueue<Int>()
        for number in 0..<100 { queue.add(number, due: .seconds(1)) }
        #expect(queue.takeDue(at: .seconds(1), limit: 100) == Array(0..<100))
    }

    @Test("All entries except the first can be removed") func allEntriesExceptTheFirstCanBeRemoved()
    {
        var queue = RetryQueue<String>()
        #expect(queue.removeAllButFirst().isEmpty)
        queue.add("late", due: .seconds(9))
        queue.add("soon", due: .seconds(1))
        queue.add("next", due: .seconds(1))
        #expect(Set(queue.removeAllButFirst()) == ["late", "next"])
        #expect(queue.firstDue == .seconds(1))
        #expect(queue.takeDue(at: .seconds(9), limit: 10) == ["soon"])
    }

    @Test("The queue behaves like a sorted list", arguments: 0..<20 as Range<UInt64>)
    func queueBehavesLikeASortedList(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var queue = RetryQueue<Int>()
        var model: [(due: Duration, element: Int)] = []
        var now: Duration = .zero
        for element in 0..<500 {
            let due = now + .milliseconds(Int.random(in: 0...50, using: &generator))
            queue.add(element, due: due)
            model.append((due, element))
            guard Int.random(in: 0..<4, using: &generator) == 0 else { continue }
            now += .milliseconds(Int.random(in: 0...40, using: &generator))
            let limit = Int.random(in: 1...10, using: &generator)
            let sorted = model.sorted { ($0.due, $0.element) < ($1.due, $1.element) }
            let expected = sorted.filter { $0.due <= now }.prefix(limit).map(\.element)
            #expect(queue.takeDue(at: now, limit: limit) == expected)
            model.removeAll { expected.contains($0.element) }
            if Int.random(in: 0..<8, using: &generator) == 0 {
                let rest = Int.random(in: 0..<3, using: &generator)
                queue.removeAll { $0 % 3 == rest }
                model.removeAll { $0.element % 3 == rest }
            }
            #expect(queue.count == model.count)
        }
    }
}
