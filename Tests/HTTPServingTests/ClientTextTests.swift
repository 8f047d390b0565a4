import HTTPServing
import TestSupport
import Testing

@Suite(.bounded) struct ClientTextTests {
    @Test func whatIsNotPrintableIsNotRepeated() {
        #expect(ClientText.quoted("a b\u{1B}[2Jä\n") == "\"a b?[2J??\"")
    }

    @Test func aLongTextIsCut() {
        let long = String(repeating: "a", count: 61)
        #expect(ClientText.quoted(String(long.dropLast())) == "\"\(long.dropLast())\"")
        #expect(ClientText.quoted(long) == "\"\(long.dropLast())…\"")
    }
}
