import HTTPServing
import TestSupport
import Testing

@Suite(.bounded) struct RequestTargetTests {
    private typealias Fault = RequestTarget.Fault

    private func target(_ text: String, plusIsSpace: Bool = false) throws(Fault) -> RequestTarget {
        try RequestTarget(text, plusIsSpace: plusIsSpace)
    }

    @Test(
        arguments: [
            ("/", []), ("//", [""]), ("/a/b/", ["a", "b"]), ("/a//b", ["a", "", "b"]),
            ("/a%2fb/%C3%A4+", ["a/b", "ä+"]), ("http://host:80/a?b", ["a"]), ("http://host", []),
            ("http://host?a=/b", []),
            ("/a/\u{301}b\u{D4E}/c?\u{301}", ["a", "\u{301}b\u{D4E}", "c"]),
        ] as [(String, [String])])
    func aPathIsDecodedSegmentBySegment(text: String, segments: [String]) throws {
        #expect(try target(text).segments == segments)
    }

    @Test(arguments: ["", "*", "a/b", "host:80", "/%", "/%a", "/%zz", "/%ff"])
    func whatIsNoPathIsRefused(text: String) {
        #expect(throws: Fault.malformedPath) { try target(text) }
    }

    @Test(arguments: ["/?%", "/?a=%f", "/?%zz=1", "/a?b=1&c=%ff"])
    func whatIsNoQueryIsRefused(text: String) {
        #expect(throws: Fault.malformedQuery) { try target(text) }
    }

    @Test func pathAndQueryStayAsTheyWereSent() throws {
        let target = try target("/a%20b/?C=%31&d")
        #expect(target.path == "/a%20b/")
        #expect(target.queryText == "?C=%31&d")
        #expect(target.text == "/a%20b/?C=%31&d")
        #expect(try self.target("/a").queryText == "")
    }

    @Test func parametersAreFoundInAnyCaseAndTheFirstOfANameCounts() throws {
        let query = try target("/?Name=a%20b&%6eAME=2&flag&empty=&x=1=2&&").query
        #expect(query["name"] == "a b")
        #expect(query["flag"] == "")
        #expect(query["empty"] == "")
        #expect(query["x"] == "1=2")
        #expect(query["other"] == nil)
        #expect(query.count == 5)
        #expect(query.repeatedName == "name")
        #expect(try target("/?a=1&b=1").query.repeatedName == nil)
        let marked = try target("/?a=\u{301}1\u{D4E}&\u{301}b=2").query
        #expect(marked["a"] == "\u{301}1\u{D4E}" && marked["\u{301}b"] == "2")
    }

    @Test func aPlusIsASpaceOnlyWhereItIsToBe() throws {
        #expect(try target("/?a+b=c+d%2B").query["a+b"] == "c+d+")
        #expect(try target("/?a+b=c+d%2B", plusIsSpace: true).query["a+b"] == "c d+")
    }

    @Test(arguments: ["", "aZ09-_.~", "a b/ä?&=+%", "\u{0}\u{10FFFF}"])
    func whatIsEncodedIsDecodedAgain(text: String) {
        let encoded = PercentEncoding.encode(text)
        #expect(encoded.utf8.allSatisfy { $0 == 0x25 || 0x2D...0x7E ~= $0 })
        #expect(PercentEncoding.decode(encoded) == text)
    }

    @Test func encodedBytesAreUpperCaseHexadecimal() {
        #expect(PercentEncoding.encode("<ä>") == "%3C%C3%A4%3E")
    }
}
