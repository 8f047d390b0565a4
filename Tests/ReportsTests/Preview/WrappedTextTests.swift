import TestSupport
import Testing

@testable import Reports

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
        #expect(WrappedText.width(of: "e\u{301}") == 1)
        #expect(WrappedText.width(of: "👨‍👩‍👧") == 2)
        #expect(WrappedText.width(of: "🇩🇪") == 2)
    }

    @Test func noLineBeginsLikeACommandOfABuildLog() {
        for text in ["aaaa ::error::x", "aaaaaa ::error::x", "aaaaaa::error::x", "aaaa aaa::b"] {
            for line in WrappedText.paragraph(text, width: 6) {
                #expect(!line.drop { $0 == " " }.hasPrefix("::"), "\(text)")
            }
        }
    }

    @Test func linesOfATextStayLines() {
        #expect(WrappedText.lines("a\n\nb c", width: 1) == ["a", "", "b", "c"])
    }
}
