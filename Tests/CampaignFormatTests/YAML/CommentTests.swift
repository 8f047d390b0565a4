import TestSupport
import Testing

@testable import CampaignFormat

@Suite(.bounded) struct CommentTests {
    /// The marks surround the comment after the value of `v`.
    @Test(
        "The comment after a value is found",
        arguments: [
            "v: 1️⃣#1 offer2️⃣\nw: x\n", "v: 50% off 1️⃣#1 é2️⃣  \nw: x\n", "v: 'a'\t1️⃣# b2️⃣",
            "v: a\n  b 1️⃣#c2️⃣\r\n", "v:\t1️⃣#2️⃣\n",
        ])
    func commentAfterAValueIsFound(marked: String) throws {
        let text = MarkedText(marked)
        let document = YAMLParser.parse(text.bytes)
        let node = try #require(document.root?["v"])
        #expect(document.source.comment(after: node.range) == text[1, 2])
    }

    @Test(
        "A comment elsewhere does not belong to the value",
        arguments: ["v: a#b\n", "v: a\n# b\n", "v: '# b'\n", "v:\n# b\n", "v: a   \n", "v: a"])
    func commentElsewhereDoesNotBelongToTheValue(text: String) throws {
        let document = YAMLParser.parse(Array(text.utf8))
        let node = try #require(document.root?["v"])
        #expect(document.source.comment(after: node.range) == nil)
    }
}
