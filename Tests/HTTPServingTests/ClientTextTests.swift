import HTTPServing
import TestSupport
import Testing

@Suite(.bounded) struct ClientTextTests {
    @Test("Unprintable characters in a client's text are replaced")
    func unprintableCharactersInAClientsTextAreReplaced() {
        #expect(ClientText.quoted("a b\u{1B}[2Jä\n") == "\"a b?[2J??\"")
    }

    @Test("Long text from a client is shortened") func longTextFromAClientIsShortened() {
        let long = String(repeating: "a", count: 61)
        #expect(ClientText.quoted(String(long.dropLast())) == "\"\(long.dropLast())\"")
        #expect(ClientText.quoted(long) == "\"\(long.dropLast())…\"")
    }
}
