import TestSupport
import Testing

@testable import AppBackend

@Suite(.bounded) struct ConstantTimeTests {
    @Test("Only identical bytes compare as equal") func onlyIdenticalBytesCompareAsEqual() {
        var random = SeededGenerator(seed: 12)
        for _ in 0..<2_000 {
            let bytes = (0..<32).map { _ in UInt8.random(in: 0...255, using: &random) }
            #expect(ConstantTime.areEqual(bytes, bytes))
            var other = bytes
            // Differences that would cancel each other out.
            let change = UInt8.random(in: 1...255, using: &random)
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                other[Int.random(in: 0..<32, using: &random)] ^= change
            }
            #expect(ConstantTime.areEqual(bytes, other) == (bytes == other))
            #expect(!ConstantTime.areEqual(bytes, bytes.map { $0 ^ change }))
        }
        #expect(!ConstantTime.areEqual([1], [1, 2]))
        #expect(ConstantTime.areEqual([], []))
    }
}
