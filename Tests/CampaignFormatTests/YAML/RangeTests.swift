import TestSupport
import Testing

@testable import CampaignFormat

/// Tests that every range is exact: it starts at the node's first character and ends after the
/// last.
@Suite(.bounded) struct RangeTests {
    /// The marks 1 and 2 surround the value of the key `v`.
    @Test(
        "The range of a value is exact",
        arguments: [
            "v: 1️⃣text2️⃣",
            "v: 1️⃣text2️⃣   # comment\n",
            "v: 1️⃣two words2️⃣ \t\nb: c",
            "v: 1️⃣folded\n  over\n\n  lines2️⃣\n\n\nb: c",
            "v: 1️⃣'it''s'2️⃣ # x",
            "v: 1️⃣\"a\\\"b\n  c\"2️⃣ # x",
            "v: 1️⃣|\n  a\n  b2️⃣\n",
            "v: 1️⃣|\n  a\n  b2️⃣\n\n\n# comment\nb: c",
            "v: 1️⃣>-\n  a2️⃣",
            "v: 1️⃣|  # comment2️⃣\nb: c",
            "v: 1️⃣|+\n  a2️⃣\n\nb: c",
            "v:1️⃣2️⃣",
            "v:1️⃣2️⃣   \n",
            "v:1️⃣2️⃣ # comment\nb: c",
            "{a: b, v:1️⃣2️⃣ , c: d}",
            "{v1️⃣2️⃣ , c: d}",
            "v: 1️⃣[a, b]2️⃣ # x",
            "v: 1️⃣[\n  a, # x\n  b,\n]2️⃣\n",
            "v: 1️⃣{a: b, c: {d: e}}2️⃣\nf: g",
            "v: 1️⃣[]2️⃣",
            "v:\n  1️⃣a: b\n  c: d2️⃣\n\n# comment\ne: f",
            "v:\n  1️⃣- a\n  - b2️⃣\n\n# comment\ne: f",
            "v:\n1️⃣- a\n- b2️⃣\ne: f",
            "v:\n  1️⃣- a\n  -2️⃣\ne: f",
            "v:\n  1️⃣a:2️⃣   # x\ne: f",
            "v:\n  1️⃣a:\n    - b\n    - |\n      text2️⃣\n\ne: f",
            "v: [1️⃣a: b2️⃣]#",
            "v: !!str 1️⃣text2️⃣",
            "v: &anchor 1️⃣text2️⃣ # x",
            "v: &anchor1️⃣:text2️⃣",
            "v: &anchor !!str 1️⃣'text'2️⃣",
            "v: !!str   # comment\n  &anchor 1️⃣\"text\"2️⃣",
            "v: !<tag:yaml.org,2002:str> 1️⃣text2️⃣",
            "v: &anchor\n  1️⃣a: b2️⃣\n",
            "v: !!seq 1️⃣[a]2️⃣",
            "v: !!str1️⃣2️⃣\nb: c",
            "\u{FEFF}v: 1️⃣text2️⃣",
            "\u{FEFF}# é\nv: 1️⃣text2️⃣",
            "ключ: да\nv: 1️⃣текст2️⃣ # комментарий",
            "'😀😀': x\nv: 1️⃣😀 e\u{301}2️⃣\n",
            "a: b\r\nv: 1️⃣text2️⃣\r\nc: d\r\n",
            "a: b\rv: 1️⃣text2️⃣\rc: d",
            "v: 1️⃣|\r\n  a\r\n  b2️⃣\r\n\r\nc: d",
            "v:\t1️⃣text2️⃣\t# x",
            "v: 1️⃣a\tb2️⃣\n",
            "v:\n\n  # far\n\n  1️⃣text2️⃣",
        ])
    func rangeOfAValueIsExact(marked: String) throws {
        let text = MarkedText(marked)
        let document = YAMLParser.parse(text.bytes)
        #expect(document.errors == [])
        let root = try #require(document.root)
        var value = try #require(root["v"])
        if marked.hasSuffix("#") { value = try #require(value.items.first) }
        #expect(value.range == text[1, 2])
    }

    @Test(
        "The range of a key is exact",
        arguments: [
            "1️⃣key2️⃣: v", "\n  1️⃣key2️⃣ : v", "{a: b, 1️⃣\"key\"2️⃣: v}", "? 1️⃣key2️⃣\n: v",
            "a:\n  - é: x\nb: c\n1️⃣'key'2️⃣: v", "&x 1️⃣key2️⃣: v", "!!str 1️⃣key2️⃣: v",
            "\u{FEFF}1️⃣key2️⃣: v", "# 1\r\n# 2\r\n1️⃣key2️⃣:\r\n  - v",
        ])
    func rangeOfAKeyIsExact(marked: String) throws {
        let text = MarkedText(marked)
        let entry = try #require(
            YAMLParser.parse(text.bytes).root?.entries.first { $0.key.scalar?.text == "key" })
        #expect(entry.key.range == text[1, 2])
    }

    @Test("An alias has its own position, and the parts of its value keep theirs")
    func aliasHasItsOwnPositionAndThePartsOfItsValueKeepTheirs() throws {
        let text = MarkedText("base: &b {rate: 1️⃣fast2️⃣}\ndelivery: 3️⃣*b4️⃣ # again\n")
        let delivery = try #require(YAMLParser.parse(text.bytes).root?["delivery"])
        #expect(delivery.range == text[3, 4])
        #expect(delivery["rate"]?.range == text[1, 2])
    }

    @Test("The range of the root extends from the first key to the last value")
    func rangeOfTheRootExtendsFromTheFirstKeyToTheLastValue() throws {
        let text = MarkedText("# intro\n\n1️⃣a: b\nc:\n  - d2️⃣\n\n# end\n...\n")
        #expect(try #require(YAMLParser.parse(text.bytes).root).range == text[1, 2])
    }

    /// Long lines and wide characters far into a file go through several checkpoints.
    @Test("Positions are exact even far into a line") func positionsAreExactEvenFarIntoALine()
        throws
    {
        let filler = String(repeating: "é😀x, ", count: 400)
        let text = MarkedText("# ü\n\na: [\(filler)1️⃣last2️⃣]\nb: 3️⃣\"\(filler)\"4️⃣\n")
        let root = try #require(YAMLParser.parse(text.bytes).root)
        #expect(root["a"]?.items.last?.range == text[1, 2])
        #expect(root["b"]?.range == text[3, 4])
    }
}
