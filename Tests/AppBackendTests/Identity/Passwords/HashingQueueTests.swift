import CampaignCore
import TestSupport
import Testing

@testable import AppBackend

@Suite(.bounded) struct HashingQueueTests {
    private static func address(_ number: Int) -> LimitedAddress {
        LimitedAddress(IPAddress("192.0.2.\(number)"))
    }

    private static func word(_ arrival: HashingQueue<String>.Arrival) -> String {
        switch arrival {
        case .waits: "waits"
        case .displaces(let other): "displaces \(other)"
        case .refused: "refused"
        }
    }

    private static func drain(_ queue: inout HashingQueue<String>) -> [String] {
        var order: [String] = []
        while let next = queue.next() { order.append(next) }
        return order
    }

    @Test("Passwords from the addresses with the fewest failures are checked first")
    func passwordsFromTheAddressesWithTheFewestFailuresAreChecked() {
        var queue = HashingQueue<String>(limit: 10, limitOfAnAddress: 10)
        for (work, address, failures) in [
            ("old", 1, 1), ("guess 1", 2, 8), ("guess 2", 2, 9), ("new", 3, 1), ("typo", 4, 2),
        ] {
            #expect(
                Self.word(queue.add(work, from: Self.address(address), failures: failures))
                    == "waits")
        }
        #expect(Self.drain(&queue) == ["new", "old", "typo", "guess 1", "guess 2"])
        #expect(queue.next() == nil)
    }

    @Test("If the queue is full, the address with the most passwords loses its oldest one")
    func ifTheQueueIsFullTheAddressWithTheMostPasswordsLosesItsOldest() {
        var queue = HashingQueue<String>(limit: 4, limitOfAnAddress: 4)
        for (work, address) in [("a1", 1), ("a2", 1), ("b1", 2), ("c1", 3)] {
            #expect(
                Self.word(queue.add(work, from: Self.address(address), failures: 0)) == "waits")
        }
        #expect(Self.word(queue.add("d1", from: Self.address(4), failures: 0)) == "displaces a1")
        // Every address has one password now, so the oldest is dropped.
        #expect(Self.word(queue.add("e1", from: Self.address(5), failures: 0)) == "displaces a2")
        #expect(Self.word(queue.add("f1", from: Self.address(6), failures: 0)) == "displaces b1")
        // If an address has more than one password, it loses its own oldest one.
        #expect(Self.word(queue.add("f2", from: Self.address(6), failures: 0)) == "displaces f1")
        #expect(Self.drain(&queue) == ["f2", "e1", "d1", "c1"])
    }

    @Test("The address with the most failures loses its oldest password first")
    func addressWithTheMostFailuresLosesItsOldestPasswordFirst() {
        var queue = HashingQueue<String>(limit: 4, limitOfAnAddress: 4)
        for (work, address, failures) in [
            ("a1", 1, 1), ("a2", 1, 1), ("guess 1", 2, 1), ("guess 2", 2, 2),
        ] {
            #expect(
                Self.word(queue.add(work, from: Self.address(address), failures: failures))
                    == "waits")
        }
        #expect(
            Self.word(queue.add("a3", from: Self.address(1), failures: 1)) == "displaces guess 1")
        #expect(Self.word(queue.add("more", from: Self.address(3), failures: 7)) == "refused")
        #expect(
            Self.word(queue.add("a4", from: Self.address(1), failures: 1)) == "displaces guess 2")
        #expect(Self.drain(&queue) == ["a4", "a3", "a2", "a1"])
    }

    @Test("Five colleagues are served before a flood from sixty addresses")
    func fiveColleaguesAreServedBeforeAFloodFromSixtyAddresses() {
        var queue = HashingQueue<String>(limit: 64, limitOfAnAddress: 16)
        func flood() -> [String] {
            (1...60).map {
                Self.word(queue.add("guess", from: Self.address($0), failures: 1))
            }
        }
        #expect(Set(flood()) == ["waits"])
        let office = (1...5).map {
            Self.word(queue.add("right \($0)", from: Self.address(200), failures: 0))
        }
        #expect(office == Array(repeating: "waits", count: 4) + ["displaces guess"])
        // Only passwords of the flood are dropped to make room.
        #expect(Set(flood()) == ["displaces guess"])
        #expect(
            Self.drain(&queue).prefix(5) == ["right 5", "right 4", "right 3", "right 2", "right 1"])
    }

    @Test("One address gets only a few places in the queue")
    func oneAddressGetsOnlyAFewPlacesInTheQueue() {
        var queue = HashingQueue<String>(limit: 64, limitOfAnAddress: 2)
        #expect(Self.word(queue.add("a1", from: Self.address(1), failures: 1)) == "waits")
        #expect(Self.word(queue.add("a2", from: Self.address(1), failures: 2)) == "waits")
        #expect(Self.word(queue.add("a3", from: Self.address(1), failures: 3)) == "refused")
        #expect(queue.next() == "a1")
        #expect(Self.word(queue.add("a4", from: Self.address(1), failures: 3)) == "waits")
    }

    @Test(
        "In any flood, everybody gets a response, and a new address is served first",
        arguments: [1, 2, 3] as [UInt64])
    func inAnyFloodEverybodyGetsAResponseAndANewAddressIsServedFirst(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var queue = HashingQueue<String>(limit: 64, limitOfAnAddress: 16)
        var told: [String] = []
        var failures: [Int: Int] = [:]
        // Many times the limit of the queue: about twelve passwords from each address.
        for number in 0..<700 {
            let address = Int.random(in: 1...60, using: &generator)
            failures[address, default: 1] += 1
            switch queue.add(
                "\(number)", from: Self.address(address), failures: failures[address] ?? 1)
            {
            case .waits: break
            case .displaces(let other): told.append(other)
            case .refused: told.append("\(number)")
            }
            #expect(queue.count <= 64)
            if number % 7 == 0, let next = queue.next() { told.append(next) }
            if number % 100 == 0 {
                if case .displaces(let other) = queue.add(
                    "right", from: Self.address(200), failures: 1)
                {
                    told.append(other)
                }
                #expect(queue.next() == "right")
            }
        }
        told += Self.drain(&queue)
        // Each password was hashed or refused exactly once.
        #expect(Set(told.filter { $0 != "right" }).count == 700)
    }
}
