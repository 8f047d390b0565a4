import TestSupport
import Testing

@testable import Delivery

@Suite(.bounded) struct EventQueueTests {
    @Test("Queued events are received together and in order")
    func queuedEventsAreReceivedTogetherAndInOrder() async {
        let queue = EventQueue<Int>()
        for number in 0..<5 { queue.post(number) }
        #expect(await queue.receive() == [0, 1, 2, 3, 4])
    }

    @Test("No event is lost between many writers and one reader")
    func noEventIsLostBetweenManyWritersAndOneReader() async {
        let queue = EventQueue<Int>()
        let received = await withTaskGroup(of: Void.self) { group in
            for writer in 0..<80 {
                group.addTask {
                    for number in 0..<100 { queue.post(writer * 100 + number) }
                }
            }
            var received: [Int] = []
            while received.count < 8_000 { received += await queue.receive() }
            return received
        }
        #expect(received.sorted() == Array(0..<8_000))
    }
}
