import TestSupport
import Testing

@testable import PostgreSQLDriver

@Suite(.bounded) struct RateSliceTests {
    /// A part, with its real state and the state that other parts see.
    private struct Member {
        /// The rate at which it sends.
        var kept = 0.0
        /// Its rate at its last report.
        var keptBefore = 0.0
        /// The last rate it received.
        var told: Double?
        /// The rate in the store.
        var column: Double?
    }

    private static let rate = 100.0

    /// One exchange of a member with the store.
    ///
    /// - Parameters:
    ///   - isLate: whether its report was made before it adopted the last rate it received.
    ///   - isLost: whether the response is lost.
    private static func exchange(
        _ index: Int, of members: inout [Member], isLate: Bool = false, isLost: Bool = false
    ) {
        let member = members[index]
        var others = members.map(\.column)
        others.remove(at: index)
        let slice = RateSlice(
            of: rate, keeping: isLate ? member.keptBefore : member.kept, told: member.told,
            besides: others)
        members[index].column = slice.column
        members[index].keptBefore = member.kept
        if !isLost { members[index].told = slice.granted }
    }

    @Test(
        "Together, the parts never exceed the rate, even as parts join and leave",
        arguments: 0..<200)
    func togetherThePartsNeverExceedTheRateEvenAsPartsJoinAndLeave(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var members: [Member] = []
        for _ in 0..<400 {
            let choice = Int.random(in: 0..<20, using: &generator)
            if choice == 0, members.count < 12 {
                members.append(Member())
            } else if let index = members.indices.randomElement(using: &generator) {
                switch choice {
                // The part leaves, or its lease ended long ago: it stops sending before its row is
                // deleted.
                case 1: members.remove(at: index)
                // The part adopts the rate that it received; if that rate is lower, it first
                // finishes what is in flight.
                case 2..<10: members[index].kept = members[index].told ?? 0
                default:
                    Self.exchange(
                        index, of: &members, isLate: .random(using: &generator),
                        isLost: choice == 10)
                }
            }
            let kept = members.reduce(0) { $0 + $1.kept }
            #expect(kept <= Self.rate)
            #expect(members.allSatisfy { $0.kept <= ($0.column ?? 0) })
        }
        // If no part joins or leaves, every part has its share after a few rounds.
        for _ in 0..<4 {
            for index in members.indices {
                Self.exchange(index, of: &members)
                members[index].kept = members[index].told ?? 0
            }
        }
        let share = Self.rate / Double(max(1, members.count))
        #expect(members.allSatisfy { $0.kept > share * 0.999 })
    }

    @Test("No part gets the remainder left by rounding") func noPartGetsTheRemainderLeftByRounding()
    {
        let all = RateSlice(of: Self.rate, keeping: nil, told: nil, besides: [])
        #expect(all.granted < Self.rate)
        let rest = RateSlice(of: Self.rate, keeping: nil, told: nil, besides: [all.column])
        #expect(rest == RateSlice(of: 0, keeping: nil, told: nil, besides: []))
    }

    @Test("Rounding alone does not change a part's rate")
    func roundingAloneDoesNotChangeAPartsRate() {
        for count in 1...300 {
            let share = RateSlice(
                of: Self.rate, keeping: nil, told: nil,
                besides: Array(repeating: nil, count: count - 1)
            ).granted
            var sum = 0.0
            for _ in 0..<count { sum += share }
            #expect(sum <= Self.rate)
            let again = RateSlice(
                of: Self.rate, keeping: share, told: share,
                besides: Array(repeating: share, count: count - 1))
            #expect(again.granted == share)
            #expect(again.column == share)
        }
    }
}
