import Files
import TestSupport
import Testing

@Suite(.bounded) struct ByteSearchTests {
    @Test(
        "The first occurrence is found",
        arguments: [
            ("", "a", nil), ("a", "a", 0), ("ab", "b", 1), ("aab", "ab", 1), ("aa", "aaa", nil),
            ("xaxab", "ab", 3), ("xaxa", "ab", nil),
        ] as [(String, String, Int?)])
    func firstOccurrenceIsFound(text: String, sought: String, place: Int?) {
        #expect(Array(text.utf8).firstOccurrence(of: Array(sought.utf8)) == place)
    }

    @Test("A search can continue after an occurrence") func searchCanContinueAfterAnOccurrence() {
        let bytes = Array("abcabc".utf8)
        #expect(bytes.firstOccurrence(of: Array("bc".utf8), from: 2) == 4)
        #expect(bytes.firstOccurrence(of: Array("bc".utf8), from: 5) == nil)
        #expect(bytes.firstOccurrence(of: Array("bc".utf8), from: 9) == nil)
    }
}
