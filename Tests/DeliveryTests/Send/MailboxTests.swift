import TestSupport
import Testing

@testable import Delivery

@Suite(.bounded) struct MailboxTests {
    @Test func whatGatheredIsHandedOverAtOnceAndInOrder() async {
        let mailbox = Mailbox<Int>()
        for number in 0..<5 { mailbox.post(number) }
        #expect(await mailbox.receive() == [0, 1, 2, 3, 4])
    }

    @Test func nothingIsLostBetweenManyWritersAndOneReader() async {
        let mailbox = Mailbox<Int>()
        let received = await withTaskGroup(of: Void.self) { group in
            for writer in 0..<80 {
                group.addTask {
                    for number in 0..<100 { mailbox.post(writer * 100 + number) }
                }
            }
            var received: [Int] = []
            while received.count < 8_000 { received += await mailbox.receive() }
            return received
        }
        #expect(received.sorted() == Array(0..<8_000))
    }
}
