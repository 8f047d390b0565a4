import CampaignCore
import TestSupport
import Testing

@Suite(.bounded) struct WrappedTextTests {
    @Test func wordsStayWholeWhereTheyFit() {
        #expect(WrappedText.paragraph("one two three", width: 7) == ["one two", "three"])
        #expect(WrappedText.paragraph("", width: 7) == [""])
        #expect(WrappedText.paragraph("  indented", width: 20) == ["  indented"])
    }

    @Test func aWordThatIsTooWideIsCut() {
        #expect(WrappedText.paragraph("ab abcdefgh", width: 4) == ["ab", "abcd", "efgh"])
    }

    @Test func columnsCountAndNotCharacters() {
        #expect(WrappedText.paragraph("漢字漢字", width: 4) == ["漢字", "漢字"])
        #expect(VisibleText.width(of: "e\u{301}") == 1)
        #expect(VisibleText.width(of: "👨‍👩‍👧") == 2)
        #expect(VisibleText.width(of: "🇩🇪") == 2)
    }

    @Test func noLineBeginsLikeACommandOfABuildLog() {
        for text in ["aaaa ::error::x", "aaaaaa ::error::x", "aaaaaa::error::x", "aaaa aaa::b"] {
            for line in WrappedText.paragraph(text, width: 6) {
                #expect(!line.drop { $0 == " " }.hasPrefix("::"), "\(text)")
            }
        }
    }

    @Test("A command is never broken, so that it can be pasted")
    func aCommandIsNeverBroken() {
        #expect(
            WrappedText.paragraph(
                "It waits. To continue: sudo -u mkt hubsend resume 20261201T090000Z-abcdef",
                width: 20)
                == [
                    "It waits. To", "continue:",
                    "sudo -u mkt hubsend resume 20261201T090000Z-abcdef",
                ])
        #expect(
            WrappedText.paragraph("Use `hubsend store migrate` on the server.", width: 12)
                == ["Use", "`hubsend store migrate`", "on the", "server."])
    }

    @Test("Lines after the first are indented, and the indent counts")
    func linesAreIndented() {
        #expect(
            WrappedText.paragraph("ok    clock: It is late", width: 18, indent: "      ")
                == ["ok    clock: It is", "      late"])
        #expect(WrappedText.paragraph("a bc", width: 2, indent: "        ") == ["a", "bc"])
        #expect(
            WrappedText.paragraph("a long-path b", width: 4, keepsWords: true) == [
                "a", "long-path", "b",
            ])
    }

    @Test("Our own colours take no columns")
    func coloursTakeNoColumns() {
        #expect(VisibleText.width(of: TextStyle.colored.apply(.boldRed, to: "error")) == 5)
    }

    @Test("Columns of a table are as wide as what characters take there")
    func tablesCountColumns() {
        var table = TextTable([.left, .wrapped], indent: 1)
        table.append(["漢字", "one two three four five six seven"])
        table.append(["ab", "x"])
        #expect(table.lines() == [" 漢字  one two three four five six seven", " ab    x"])
        #expect(
            table.lines(within: 32) == [
                " 漢字  one two three four five\n       six seven", " ab    x",
            ])
    }

    @Test func linesOfATextStayLines() {
        #expect(WrappedText.lines("a\n\nb c", width: 1) == ["a", "", "b", "c"])
    }
}
