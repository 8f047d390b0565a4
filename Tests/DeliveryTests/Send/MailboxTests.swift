import Testing

@testable import Delivery

struct MailboxTests {
    @Test func whatGatheredIsHandedOverAtOnceAndInOrder() async {
        let mailbox = Mailbox<Int>()
        for number in 0..<5 { mailbox.post(number) }
        #expect(await mailbox.receive() == [0, 1, 2, 3, 4])
    }

    @Test func nothingIsLostBetweenManyWritersAndOneReader() async {
        let mailbox = Mailbox<Int>()
        let received = await withTaskGroup(of: Void.self) { group in
            for writer in 0..<8 {
                group.addTask {
                    for number in 0..<1_000 {
                        mailbox.post(writer * 1_000 + number)
                        if number % 100 == 0 { await Task.yield() }
                    }
                }
            }
            var received: [Int] = []
            while received.count < 8_000 { received += await mailbox.receive() }
            return received
        }
        #expect(received.sorted() == Array(0..<8_000))
    }
}
