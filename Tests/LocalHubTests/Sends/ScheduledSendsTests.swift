import Foundation
import TestSupport
import Testing

@testable import LocalHub

@Suite(.bounded) struct ScheduledSendsTests {
    private let now = HubUnderTest.now

    private func send(_ id: String, due: Double) throws -> ScheduledSend {
        ScheduledSend(
            id: id, enqueued: now, due: now + due,
            send: try SendRequest(
                ["servicebusnotification-format": "apple"], payload: Array("{}".utf8), to: .everyone
            ))
    }

    @Test(
        "Scheduled sends are returned in order, even after removals",
        arguments: 0..<20 as Range<UInt64>
    )
    func scheduledSendsAreReturnedInOrderEvenAfterRemovals(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var sends = ScheduledSends(limits: LocalHubLimits())
        var expected: [String: Double] = [:]
        for number in 0..<200 {
            let due = Double(Int.random(in: 0...50, using: &random))
            let id = "\(number)"
            try sends.add(try send(id, due: due))
            expected[id] = due
            if Int.random(in: 0..<3, using: &random) == 0,
                let victim = expected.keys.sorted().randomElement(using: &random)
            {
                expected[victim] = nil
                #expect(sends.remove(id: victim)?.id == victim)
                #expect(sends.remove(id: victim) == nil)
            }
        }
        let order = expected.sorted { ($0.value, $0.key) < ($1.value, $1.key) }.map(\.key)
        #expect(sends.all.map(\.id) == order)
        #expect(sends.nextDue == order.first.flatMap { expected[$0] }.map { now + $0 })
        var taken: [String] = []
        for second in stride(from: 0.0, through: 50, by: 1) {
            while let next = sends.takeDue(at: now + second) {
                #expect(next.due <= now + second)
                taken.append(next.id)
            }
        }
        #expect(taken == order)
        #expect(sends.nextDue == nil)
    }

    @Test("The total size of scheduled sends is limited") func totalSizeOfScheduledSendsIsLimited()
        throws
    {
        var limits = LocalHubLimits()
        limits.scheduledBytes = try send("1", due: 1).size * 2
        var sends = ScheduledSends(limits: limits)
        try sends.add(try send("1", due: 1))
        try sends.add(try send("2", due: 1))
        #expect(throws: HubFailure.tooManyScheduledSends) { try sends.add(try send("3", due: 1)) }
        _ = sends.remove(id: "1")
        try sends.add(try send("3", due: 1))
        #expect(sends.all.map(\.id) == ["2", "3"])
    }
}
