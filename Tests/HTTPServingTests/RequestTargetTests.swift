import HTTPServing
import TestSupport
import Testing

@Suite(.bounded) struct RequestTargetTests {
    private typealias Failure = RequestTarget.Failure

    private func target(_ text: String, plusIsSpace: Bool = false) throws(Failure) -> RequestTarget
    {
        try RequestTarget(text, plusIsSpace: plusIsSpace)
    }

    @Test(
        "A path is decoded segment by segment",
        arguments: [
            ("/", []), ("//", [""]), ("/a/b/", ["a", "b"]), ("/a//b", ["a", "", "b"]),
            ("/a%2fb/%C3%A4+", ["a/b", "ä+"]), ("http://host:80/a?b", ["a"]), ("http://host", []),
            ("http://host?a=/b", []),
            ("/a/\u{301}b\u{D4E}/c?\u{301}", ["a", "\u{301}b\u{D4E}", "c"]),
        ] as [(String, [String])])
    func pathIsDecodedSegmentBySegment(text: String, segments: [String]) throws {
        #expect(try target(text).segments == segments)
    }

    @Test(
        "A malformed path is refused",
        arguments: ["", "*", "a/b", "host:80", "/%", "/%a", "/%zz", "/%ff"])
    func malformedPathIsRefused(text: String) {
        #expect(throws: Failure.malformedPath) { try target(text) }
    }

    @Test("A malformed query is refused", arguments: ["/?%", "/?a=%f", "/?%zz=1", "/a?b=1&c=%ff"])
    func malformedQueryIsRefused(text: String) {
        #expect(throws: Failure.malformedQuery) { try target(text) }
    }

    @Test("The original path and query are kept") func originalPathAndQueryAreKept() throws {
        let target = try target("/a%20b/?C=%31&d")
        #expect(target.path == "/a%20b/")
        #expect(target.queryText == "?C=%31&d")
        #expect(target.text == "/a%20b/?C=%31&d")
        #expect(try self.target("/a").queryText == "")
    }

    @Test("Parameter names are case-insensitive, and the first value is used")
    func parameterNamesAreCaseInsensitiveAndTheFirstValueIsUsed() throws {
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

    @Test("A plus sign means a space only if requested")
    func plusSignMeansASpaceOnlyIfRequested() throws {
        #expect(try target("/?a+b=c+d%2B").query["a+b"] == "c+d+")
        #expect(try target("/?a+b=c+d%2B", plusIsSpace: true).query["a+b"] == "c d+")
    }

    @Test(
        "Text that was encoded decodes to the original",
        arguments: ["", "aZ09-_.~", "a b/ä?&=+%", "\u{0}\u{10FFFF}"])
    func textThatWasEncodedDecodesToTheOriginal(text: String) {
        let encoded = PercentEncoding.encode(text)
        #expect(encoded.utf8.allSatisfy { $0 == 0x25 || 0x2D...0x7E ~= $0 })
        #expect(PercentEncoding.decode(encoded) == text)
    }

    @Test("Encoded bytes use upper-case hexadecimal") func encodedBytesUseUpperCaseHexadecimal() {
        #expect(PercentEncoding.encode("<ä>") == "%3C%C3%A4%3E")
    }
}
