import TestSupport
import Testing

@testable import CampaignFormat

@Suite(.bounded) struct LimitTests {
    @Test("A file over the byte limit is not read") func fileOverTheByteLimitIsNotRead() {
        let limits = YAMLLimits(bytes: 10)
        #expect(parse("a: 3456789", limits: limits).errors == [])
        let document = parse("a: 34567890", limits: limits)
        #expect(document.root == nil)
        #expect(document.errors.map(\.rule) == [.tooLarge])
        #expect(document.errors.first?.message.contains("11 bytes") == true)
    }

    @Test("Nesting beyond the depth limit is refused at the first level")
    func nestingBeyondTheDepthLimitIsRefusedAtTheFirstLevel() {
        let limits = YAMLLimits(depth: 3)
        #expect(parse("[[[a]]]", limits: limits).errors == [])
        let text = MarkedText("[[{a: 1️⃣[2️⃣b]}]]")
        let errors = YAMLParser.parse(text.bytes, limits: limits).errors
        #expect(errors.map(\.rule) == [.tooDeep])
        #expect(errors.first?.range == text[1, 2])
    }

    @Test("Aliases count towards the depth limit") func aliasesCountTowardsTheDepthLimit() {
        let text = MarkedText("- &a [[x]]\n- - 1️⃣*a2️⃣")
        #expect(YAMLParser.parse(text.bytes, limits: YAMLLimits(depth: 4)).errors == [])
        let errors = YAMLParser.parse(text.bytes, limits: YAMLLimits(depth: 3)).errors
        #expect(errors.map(\.rule) == [.tooDeep])
        #expect(errors.first?.range == text[1, 2])
    }

    @Test("More values than allowed are refused") func moreValuesThanAllowedAreRefused() {
        #expect(parse("[a, b, c]", limits: YAMLLimits(nodes: 4)).errors == [])
        let text = MarkedText("[a, b, 1️⃣c2️⃣]")
        let errors = YAMLParser.parse(text.bytes, limits: YAMLLimits(nodes: 3)).errors
        #expect(errors.map(\.rule) == [.tooManyNodes])
        #expect(errors.first?.range == text[1, 2])
    }

    @Test("Aliases count towards the limit of values") func aliasesCountTowardsTheLimitOfValues() {
        let text = "- &a [x, y]\n- *a"
        #expect(parse(text, limits: YAMLLimits(nodes: 7)).errors == [])
        #expect(parse(text, limits: YAMLLimits(nodes: 6)).errors.map(\.rule) == [.tooManyNodes])
    }

    @Test("The expansion limit is exact to one value") func expansionLimitIsExactToOneValue() {
        let text = MarkedText("- &a [x, y]\n- *a\n- 1️⃣*a2️⃣")
        #expect(YAMLParser.parse(text.bytes, limits: YAMLLimits(expandedNodes: 6)).errors == [])
        let errors = YAMLParser.parse(text.bytes, limits: YAMLLimits(expandedNodes: 5)).errors
        #expect(errors.map(\.rule) == [.tooMuchExpansion])
        #expect(errors.first?.range == text[1, 2])
    }

    @Test("The number of errors is limited") func numberOfErrorsIsLimited() {
        let text = (0..<50).map { _ in "a: 1\n" }.joined()
        let errors = parse(text, limits: YAMLLimits(errors: 10)).errors
        #expect(errors.count == 11)
        #expect(errors.last?.rule == .tooManyFaults)
        #expect(errors.last?.range.start.line == 12)
    }
}
