import HTTPServing
import TestSupport
import Testing

@Suite(.bounded) struct AuthorityTests {
    @Test(
        "A host and its port are separated",
        arguments: [
            ("example.com", "example.com", false, nil), ("Example:0", "Example", false, 0),
            ("a:65535", "a", false, 65_535), ("a:00080", "a", false, 80),
            ("[::1]", "::1", true, nil), ("[::1]:8080", "::1", true, 8_080),
        ] as [(String, String, Bool, Int?)])
    func hostAndItsPortAreSeparated(
        text: String, host: String, isBracketed: Bool, port: Int?
    ) throws {
        let authority = try #require(Authority(text[...]))
        #expect(authority.host == host)
        #expect(authority.isBracketed == isBracketed)
        #expect(authority.port == port)
    }

    @Test(
        "Text in any other form is not an authority",
        arguments: [
            "", ":80", "a:", "a:b", "a:-1", "a:+1", "a:65536", "a:000080", "::1", "a:80:80", "[]",
            "[]:80", "[::1", "[::1]80", "[::1]:", "[::1]]:80", "a:８０",
        ])
    func textInAnyOtherFormIsNotAnAuthority(text: String) {
        #expect(Authority(text[...]) == nil)
    }
}
