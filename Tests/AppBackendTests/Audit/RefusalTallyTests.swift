import CampaignCore
import TestSupport
import Testing

@testable import AppBackend

@Suite(.bounded) struct RefusalTallyTests {
    private static let end = AdjustableTime.start

    private static func address(_ text: String?) -> LimitedAddress {
        LimitedAddress(text.flatMap { IPAddress($0) })
    }

    @Test("An address's first refusals are logged one by one, and later ones are counted")
    func addresssFirstRefusalsAreLoggedOneByOneAndLaterOnesAreCounted() {
        var tally = RefusalTally()
        let lines = (0..<100).filter { number in
            tally.add(number < 60 ? "unauthenticated" : "malformed", of: Self.address("192.0.2.1"))
        }
        #expect(lines == Array(0..<RefusalTally.linesOfAnAddress))
        let hasLine = tally.add("malformed", of: Self.address("192.0.2.2"))
        #expect(hasLine)
        #expect(
            tally.end(at: Self.end) == [
                AuditEntry(
                    time: Self.end, user: nil, action: .refusals, what: nil, address: "192.0.2.1",
                    outcome: "counted", count: 90, reason: "40 malformed, 50 unauthenticated")
            ])
        #expect(tally.isEmpty)
    }

    @Test("Each minute starts with a full allowance of log lines")
    func eachMinuteStartsWithAFullAllowanceOfLogLines() {
        var tally = RefusalTally()
        for _ in 0..<50 { _ = tally.add("malformed", of: Self.address("192.0.2.1")) }
        #expect(tally.end(at: Self.end).map(\.count) == [40])
        let hasLine = tally.add("malformed", of: Self.address("192.0.2.1"))
        #expect(hasLine)
        #expect(tally.end(at: Self.end).isEmpty)
    }

    @Test("An IPv6 network counts as one address, and so do all clients without an address")
    func iPv6NetworkCountsAsOneAddressAndSoDoAllClientsWithoutAn() {
        var tally = RefusalTally()
        for number in 0..<30 {
            _ = tally.add("malformed", of: Self.address("2001:db8:0:1::\(number)"))
            _ = tally.add("malformed", of: Self.address(nil))
        }
        let entries = tally.end(at: Self.end)
        #expect(entries.map(\.address) == [nil, "2001:db8:0:1::/64"])
        #expect(entries.map(\.count) == [20, 20])
    }

    @Test("A flood from many addresses fills neither memory nor disk")
    func floodFromManyAddressesFillsNeitherMemoryNorDisk() {
        var tally = RefusalTally(mostLines: 100, mostAddresses: 50)
        var lines = 0
        for number in 0..<5_000 {
            let address = Self.address("10.0.\(number % 200).1")
            if tally.add("unauthenticated", of: address) { lines += 1 }
        }
        #expect(lines == 100)
        let entries = tally.end(at: Self.end)
        #expect(entries.count == 51)
        #expect(entries.last?.address == nil)
        #expect(entries.last?.reason == "further addresses: 3750 unauthenticated")
        #expect(entries.compactMap(\.count).reduce(lines, +) == 5_000)
    }
}
