import TestSupport
import Testing

@testable import CampaignFormat

@Suite(.bounded) struct LimitTests {
    @Test func aFileOverTheByteLimitIsNotRead() {
        let limits = YAMLLimits(bytes: 10)
        #expect(parse("a: 3456789", limits: limits).faults == [])
        let document = parse("a: 34567890", limits: limits)
        #expect(document.root == nil)
        #expect(document.faults.map(\.rule) == [.tooLarge])
        #expect(document.faults.first?.message.contains("11 bytes") == true)
    }

    @Test func nestingBeyondTheDepthIsRefusedAtTheFirstTooDeep() {
        let limits = YAMLLimits(depth: 3)
        #expect(parse("[[[a]]]", limits: limits).faults == [])
        let text = MarkedText("[[{a: 1️⃣[2️⃣b]}]]")
        let faults = YAMLParser.parse(text.bytes, limits: limits).faults
        #expect(faults.map(\.rule) == [.tooDeep])
        #expect(faults.first?.range == text[1, 2])
    }

    @Test func aliasesCountTowardsTheDepth() {
        let text = MarkedText("- &a [[x]]\n- - 1️⃣*a2️⃣")
        #expect(YAMLParser.parse(text.bytes, limits: YAMLLimits(depth: 4)).faults == [])
        let faults = YAMLParser.parse(text.bytes, limits: YAMLLimits(depth: 3)).faults
        #expect(faults.map(\.rule) == [.tooDeep])
        #expect(faults.first?.range == text[1, 2])
    }

    @Test func moreValuesThanAllowedAreRefused() {
        #expect(parse("[a, b, c]", limits: YAMLLimits(nodes: 4)).faults == [])
        let text = MarkedText("[a, b, 1️⃣c2️⃣]")
        let faults = YAMLParser.parse(text.bytes, limits: YAMLLimits(nodes: 3)).faults
        #expect(faults.map(\.rule) == [.tooManyNodes])
        #expect(faults.first?.range == text[1, 2])
    }

    @Test func aliasesCountTowardsTheValues() {
        let text = "- &a [x, y]\n- *a"
        #expect(parse(text, limits: YAMLLimits(nodes: 7)).faults == [])
        #expect(parse(text, limits: YAMLLimits(nodes: 6)).faults.map(\.rule) == [.tooManyNodes])
    }

    @Test func expansionIsBoundExactly() {
        let text = MarkedText("- &a [x, y]\n- *a\n- 1️⃣*a2️⃣")
        #expect(YAMLParser.parse(text.bytes, limits: YAMLLimits(expandedNodes: 6)).faults == [])
        let faults = YAMLParser.parse(text.bytes, limits: YAMLLimits(expandedNodes: 5)).faults
        #expect(faults.map(\.rule) == [.tooMuchExpansion])
        #expect(faults.first?.range == text[1, 2])
    }

    @Test func faultsAreNotListedWithoutEnd() {
        let text = (0..<50).map { _ in "a: 1\n" }.joined()
        let faults = parse(text, limits: YAMLLimits(faults: 10)).faults
        #expect(faults.count == 11)
        #expect(faults.last?.rule == .tooManyFaults)
        #expect(faults.last?.range.start.line == 12)
    }
}
