import Storage
import TestSupport
import Testing

@Suite(.bounded) struct ClaimCursorTests {
    @Test("A run without waves is claimed as one range") func runWithoutWavesIsClaimedAsOneRange() {
        let cursor = ClaimCursor(claimed: 3, last: 9)
        #expect(cursor.claimed == 0..<3)
        #expect(cursor.open == 3..<9)
        #expect(ClaimCursor(claimed: 9, last: 9).open.isEmpty)
        #expect(ClaimCursor(claimed: 3).open == 3..<Int.max)
        #expect(ClaimedRanges([cursor]).last(inWaveOf: 7) == 3)
    }

    @Test("Each wave is claimed separately") func eachWaveIsClaimedSeparately() throws {
        let ranges = ClaimedRanges([
            try ClaimCursor(wave: 1, first: 1, last: 4, claimed: 2),
            try ClaimCursor(wave: 2, first: 5, last: 8, claimed: 0),
            try ClaimCursor(wave: 3, first: 9, last: 9, claimed: 9),
        ])
        #expect(ranges.cursors.map(\.claimed) == [0..<2, 4..<4, 8..<9])
        #expect(ranges.cursors.map(\.open) == [2..<4, 4..<8, 9..<9])
        #expect([1, 4, 5, 8, 9].map { ranges.last(inWaveOf: $0) } == [2, 2, 4, 4, 9])
        #expect(ranges.cursors.map { $0.part(of: 3...6) } == [3...4, 5...6, nil])
    }

    @Test(
        "Invalid claim positions are reported as damage",
        arguments: [(first: 0, last: 4, claimed: 0), (5, 4, 0), (5, 8, 4), (5, 8, 9)])
    func invalidClaimPositionsAreReportedAsDamage(wave: (first: Int, last: Int, claimed: Int)) {
        #expect(throws: DamagedValue.self) {
            try ClaimCursor(wave: 1, first: wave.first, last: wave.last, claimed: wave.claimed)
        }
    }
}
