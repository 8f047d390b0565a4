import TestSupport
import Testing

@testable import LocalHub

@Suite(.bounded) struct TextSearchTests {
    @Test(
        "Text is found regardless of case and escaping",
        arguments: [
            ("sale", #"{"aps":{"alert":"Spring Sale"}}"#), ("SALE", "on sale"), ("x", "x"),
            ("größe", #"{"a":"GRÖSSE, Größe"}"#), ("größe", #"{"a":"Gr\u00f6\u00DFe"}"#),
            ("a/b", #"{"a":"a\/b"}"#), ("say \"hi\"", #"{"a":"say \"hi\""}"#),
            ("one two", #"{"a":"one\ntwo"}"#), ("😀", #"{"a":"\ud83d\ude00"}"#),
            (#"\u12"#, #"{"a":"\u12"}"#), ("<text>", "<toast><text>T</text></toast>"),
        ])
    func textIsFoundRegardlessOfCaseAndEscaping(part: String, body: String) {
        #expect(TextSearch(part).matches(Array(body.utf8)))
    }

    @Test(
        "Text that does not occur is not found",
        arguments: [
            ("sale", "sal"), ("sale", ""), ("größe", "grosse"), ("\\", "/"),
            ("u00f6", #"{"a":"\n"}"#),
        ])
    func textThatDoesNotOccurIsNotFound(part: String, body: String) {
        #expect(!TextSearch(part).matches(Array(body.utf8)))
    }

    @Test("Malformed bodies can be searched") func malformedBodiesCanBeSearched() {
        for body in [[0xFF, 0x5C], [0x5C], Array(#"\u"#.utf8), Array(#"\ud83d\"#.utf8)] as [[UInt8]]
        {
            #expect(!TextSearch("ö").matches(body))
            #expect(!TextSearch("ab").matches(body))
        }
    }

    @Test(
        "A name is found by any part of it, regardless of case",
        arguments: [
            ("alice", "ALICE", true), ("alice", "lic", true), ("alice", "x", false),
            ("al", "alice", false), ("", "a", false), ("a.B_c@d", ".b_C@", true),
            ("Zoë", "ZOË", true), ("Zoë", "oe", false), ("ZOË", "zo", true), ("[", "{", false),
            ("aab", "ab", true), ("K\u{212A}", "k", true),
        ])
    func nameIsFoundByAnyPartOfItRegardlessOfCase(name: String, part: String, isFound: Bool) {
        #expect(TextSearch(part).matches(name) == isFound)
    }

    @Test(
        "A name is found only in a user tag",
        arguments: [
            ("username:alice", "alice"), ("$UserId:{alice}", "alice"),
            ("$InstallationId:{alice}", nil), ("alice", nil), ("$UserId:{alice", nil),
            ("username:", nil), ("$UserId:{}", nil), ("username", nil),
        ] as [(String, String?)])
    func nameIsFoundOnlyInAUserTag(tag: String, name: String?) {
        #expect(UserNames.name(inTag: tag).map(String.init) == name)
    }
}
