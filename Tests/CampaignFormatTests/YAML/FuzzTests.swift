import TestSupport
import Testing

@testable import CampaignFormat

@Suite(.bounded)
struct FuzzTests {
    @Test(arguments: [1, 2, 3, 4])
    func aDamagedFileIsReadOrRefusedWithAPlace(seed: UInt64) {
        var mutator = Mutator(seed: seed)
        let limits = YAMLLimits(bytes: 4096, depth: 12, nodes: 500, expandedNodes: 50, faults: 20)
        for _ in 0..<700 {
            let bytes = mutator.damaged()
            let document = YAMLParser.parse(bytes, limits: limits)
            let complaint = Invariants(document).firstViolation()
            #expect(complaint == nil, "\(String(decoding: bytes, as: UTF8.self).debugDescription)")
        }
    }

    @Test func everyPrefixOfAFileIsReadOrRefusedWithAPlace() {
        for sample in Mutator.samples {
            let bytes = Array(sample.utf8)
            for length in 0...bytes.count {
                let document = YAMLParser.parse(Array(bytes.prefix(length)))
                #expect(Invariants(document).firstViolation() == nil, "\(length) of \(sample)")
            }
        }
    }

    @Test func theSamplesThemselvesAreFine() {
        for sample in Mutator.samples { #expect(parse(sample).faults == [], "\(sample)") }
    }
}
