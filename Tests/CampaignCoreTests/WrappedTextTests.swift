import CampaignCore
import TestSupport
import Testing

@Suite(.bounded) struct WrappedTextTests {
    @Test("Words stay whole if they fit") func wordsStayWholeIfTheyFit() {
        #expect(WrappedText.paragraph("one two three", width: 7) == ["one two", "three"])
        #expect(WrappedText.paragraph("", width: 7) == [""])
        #expect(WrappedText.paragraph("  indented", width: 20) == ["  indented"])
    }

    @Test("A word that is too wide is cut") func wordThatIsTooWideIsCut() {
        #expect(WrappedText.paragraph("ab abcdefgh", width: 4) == ["ab", "abcd", "efgh"])
    }

    @Test("Width is counted in columns, not characters")
    func widthIsCountedInColumnsNotCharacters() {
        #expect(WrappedText.paragraph("漢字漢字", width: 4) == ["漢字", "漢字"])
        #expect(VisibleText.width(of: "e\u{301}") == 1)
        #expect(VisibleText.width(of: "👨‍👩‍👧") == 2)
        #expect(VisibleText.width(of: "🇩🇪") == 2)
    }

    @Test("No line begins with a build log command") func noLineBeginsWithABuildLogCommand() {
        for text in ["aaaa ::error::x", "aaaaaa ::error::x", "aaaaaa::error::x", "aaaa aaa::b"] {
            for line in WrappedText.paragraph(text, width: 6) {
                #expect(!line.drop { $0 == " " }.hasPrefix("::"), "\(text)")
            }
        }
    }

    @Test("A command is never broken across lines") func commandIsNeverBrokenAcrossLines() {
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

    @Test("Lines after the first are indented within the width")
    func linesAfterTheFirstAreIndentedWithinTheWidth() {
        #expect(
            WrappedText.paragraph("ok    clock: It is late", width: 18, indent: "      ")
                == ["ok    clock: It is", "      late"])
        #expect(WrappedText.paragraph("a bc", width: 2, indent: "        ") == ["a", "bc"])
        #expect(
            WrappedText.paragraph("a long-path b", width: 4, keepsWords: true) == [
                "a", "long-path", "b",
            ])
    }

    @Test("Colour codes take no columns") func colourCodesTakeNoColumns() {
        #expect(VisibleText.width(of: TextStyle.colored.apply(.boldRed, to: "error")) == 5)
    }

    @Test("Table columns are aligned by display width")
    func tableColumnsAreAlignedByDisplayWidth() {
        var table = TextTable([.left, .wrapped], indent: 1)
        table.append(["漢字", "one two three four five six seven"])
        table.append(["ab", "x"])
        #expect(table.lines() == [" 漢字  one two three four five six seven", " ab    x"])
        #expect(
            table.lines(within: 32) == [
                " 漢字  one two three four five\n       six seven", " ab    x",
            ])
    }

    @Test("Existing line breaks are kept") func existingLineBreaksAreKept() {
        #expect(WrappedText.lines("a\n\nb c", width: 1) == ["a", "", "b", "c"])
    }
}
