import TestSupport
import Testing

@testable import CampaignFormat

@Suite(.bounded)
struct FuzzTests {
    @Test("A damaged file is either read or refused with a position", arguments: [1, 2, 3, 4])
    func damagedFileIsEitherReadOrRefusedWithAPosition(seed: UInt64) {
        var mutator = Mutator(seed: seed)
        let limits = YAMLLimits(bytes: 4096, depth: 12, nodes: 500, expandedNodes: 50, errors: 20)
        for _ in 0..<700 {
            let bytes = mutator.damaged()
            let document = YAMLParser.parse(bytes, limits: limits)
            let complaint = Invariants(document).firstViolation()
            #expect(complaint == nil, "\(String(decoding: bytes, as: UTF8.self).debugDescription)")
        }
    }

    @Test("Every prefix of a file is either read or refused with a position")
    func everyPrefixOfAFileIsEitherReadOrRefusedWithAPosition() {
        for sample in Mutator.samples {
            let bytes = Array(sample.utf8)
            for length in 0...bytes.count {
                let document = YAMLParser.parse(Array(bytes.prefix(length)))
                #expect(Invariants(document).firstViolation() == nil, "\(length) of \(sample)")
            }
        }
    }

    @Test("The undamaged samples are valid") func undamagedSamplesAreValid() {
        for sample in Mutator.samples { #expect(parse(sample).errors == [], "\(sample)") }
    }
}
