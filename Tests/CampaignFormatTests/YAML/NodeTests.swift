import TestSupport
import Testing

@testable import CampaignFormat

@Suite(.bounded) struct NodeTests {
    @Test(
        "A file is read exactly as it is written",
        arguments: [
            ("a: 1", "{a: 1}"),
            ("- a\n- b: c\n  d: e", "[a {b: c d: e}]"),
            ("a:\n- b\n- c\nd:", "{a: [b c] d: ∅}"),
            ("{a: [b, c], d: {}, e: []}", "{a: [b c] d: {} e: []}"),
            ("[a: b, c]", "[{a: b} c]"),
            ("a: 'it''s'\nb: \"x\\ty\\u00e9\"", "{a: 'it's' b: \"x\tyé\"}"),
            ("a: |\n  x\n  y\nb: >\n  x\n  y\n", "{a: |x\ny\n b: >x y\n}"),
            ("a: |-\n  x\n\nb: |+\n  x\n\n", "{a: |x b: |x\n\n}"),
            ("a: x\n  y\n\n  z", "{a: x y\nz}"),
            ("null: ~\n'no': \"~\"", "{null: ~ 'no': \"~\"}"),
            ("? a\n: b", "{a: b}"),
            ("--- text", "text"),
            ("%YAML 1.2\n---\na: 1\n...\n", "{a: 1}"),
            ("a: !!str 5\nb: !!seq [x]\nc: !!map {}", "{a: !!str 5 b: !!seq [x] c: !!map {}}"),
            ("a: !<tag:yaml.org,2002:int> 5", "{a: !!int 5}"),
            ("a: &x 1\nb: *x\n*x : c", "{a: 1 b: 1 1: c}"),
            ("a: http://x.org:80/b?c=d#e", "{a: http://x.org:80/b?c=d#e}"),
            ("a: Hi {{name|there}}, 100% *", "{a: Hi {{name|there}}, 100% *}"),
            // In double quotes, a pair of JSON escapes is one character; elsewhere, it has no
            // meaning.
            (
                "{\"a\": \"x \\ud83d\\ude00 y\", \"\\uD83C\\uDDE9\": [\"\\\\ud83d\"]}",
                "{\"a\": \"x 😀 y\" \"\u{1F1E9}\": [\"\\ud83d\"]}"
            ),
            (
                "# \\ud83d\\ude00\na: \\ud83d\\ude00 b # \\ud83d\\ude01\nc: '\\ud83d\\ude02'\n",
                "{a: \\ud83d\\ude00 b c: '\\ud83d\\ude02'}"
            ),
            (
                "a: | # \\ud83d\\ude00\n  \\ud83d\\ude01\nb: \"\\ud83d\\ude02\"\n",
                "{a: |\\ud83d\\ude01\n b: \"😂\"}"
            ),
        ])
    func fileIsReadExactlyAsItIsWritten(text: String, outline: String) {
        let document = parse(text)
        #expect(document.errors == [])
        #expect(document.root?.outline == outline)
    }

    @Test(
        "A file without a value has no root",
        arguments: ["", "\n\n", "# nothing\n", "\u{FEFF}", "\u{FEFF}# nothing", "  \r\n"])
    func fileWithoutAValueHasNoRoot(text: String) {
        let document = parse(text)
        #expect(document.root == nil)
        #expect(document.errors == [])
    }

    @Test("The style distinguishes numbers from text") func styleDistinguishesNumbersFromText() {
        let root = parse("a: 5\nb: '5'\nc: \"5\"\nd: |\n  5\ne: >\n  5\n").root
        #expect(
            root?.entries.map(\.value.scalar?.style) == [
                .plain, .singleQuoted, .doubleQuoted, .literal, .folded,
            ])
    }

    @Test("Line endings do not change what is read") func lineEndingsDoNotChangeWhatIsRead() {
        let text = "a: |\n  x\n  y\nb: [c,\n  d]\n"
        let expected = parse(text).root?.outline
        #expect(expected == "{a: |x\ny\n b: [c d]}")
        #expect(parse(text.replacing("\n", with: "\r\n")).root?.outline == expected)
        #expect(parse(text.replacing("\n", with: "\r")).root?.outline == expected)
    }

    @Test("Many keys remain in the order of the file") func manyKeysRemainInTheOrderOfTheFile() {
        let text = (0..<500).map { "key\($0): \($0)\n" }.joined()
        let keys = parse(text).root?.entries.compactMap(\.key.scalar?.text)
        #expect(keys == (0..<500).map { "key\($0)" })
    }
}
