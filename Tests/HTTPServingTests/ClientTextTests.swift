import HTTPServing
import TestSupport
import Testing

@Suite(.bounded) struct ClientTextTests {
    @Test("Unprintable characters are replaced")
    func unprintableCharactersAreReplaced() {
        #expect(ClientText.quoted("a b\u{1B}[2Jä\n") == "\"a b?[2J??\"")
    }

    @Test("Long text is shortened")
    func longTextIsShortened() {
        let long = String(repeating: "a", count: 61)
        #expect(ClientText.quoted(String(long.dropLast())) == "\"\(long.dropLast())\"")
        #expect(ClientText.quoted(long) == "\"\(long.dropLast())…\"")
    }
}
