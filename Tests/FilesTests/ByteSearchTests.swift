import Files
import TestSupport
import Testing

@Suite(.bounded) struct ByteSearchTests {
    @Test(
        arguments: [
            ("", "a", nil), ("a", "a", 0), ("ab", "b", 1), ("aab", "ab", 1), ("aa", "aaa", nil),
            ("xaxab", "ab", 3), ("xaxa", "ab", nil),
        ] as [(String, String, Int?)])
    func theFirstPlaceIsFound(text: String, sought: String, place: Int?) {
        #expect(Array(text.utf8).firstPlace(of: Array(sought.utf8)) == place)
    }

    @Test func theSearchGoesOnBehindAPlace() {
        let bytes = Array("abcabc".utf8)
        #expect(bytes.firstPlace(of: Array("bc".utf8), from: 2) == 4)
        #expect(bytes.firstPlace(of: Array("bc".utf8), from: 5) == nil)
        #expect(bytes.firstPlace(of: Array("bc".utf8), from: 9) == nil)
    }
}
