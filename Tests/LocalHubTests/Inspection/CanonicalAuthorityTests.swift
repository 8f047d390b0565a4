import TestSupport
import Testing

@testable import LocalHub

@Suite(.bounded) struct CanonicalAuthorityTests {
    @Test(
        "Different spellings of a host compare as equal",
        arguments: [
            ("LOCALhost", "localhost", nil), ("localhost:1", "localhost", 1),
            ("127.0.0.1:65535", "127.0.0.1", 65_535), ("[::1]:0", "::1", 0),
            ("[0:0:0:0:0:0:0:1]", "::1", nil), ("a_b-c.Example", "a_b-c.example", nil),
        ] as [(String, String, Int?)])
    func differentSpellingsOfAHostCompareAsEqual(text: String, host: String, port: Int?) throws {
        let read = try #require(CanonicalAuthority(text))
        #expect(read.host == host)
        #expect(read.port == port)
    }

    @Test(
        "An invalid host is refused",
        arguments: [
            "", ":", ":80", "localhost:", "localhost:x", "localhost:80:evil", "localhost:80@evil",
            "localhost:123456", "localhost:65536", "localhost:+1", "localhost.", "a..b", ".a", "-a",
            "[::1", "::1", "[::1]x", "[::1]x:80", "[::1]:", "[localhost]", "[127.0.0.1]", "[]",
            "127.1", "2130706433", "0x7f.0.0.1", "0177.0.0.1", "127.0.0.256", "local host", "löcal",
            "localhost/", "http://localhost", "local\u{0}host", "*", "a,b",
        ])
    func invalidHostIsRefused(text: String) {
        #expect(CanonicalAuthority(text) == nil)
    }

    @Test(
        "An origin with the host and port of the hub matches",
        arguments: [
            ("localhost:8080", "http://localhost:8080"),
            ("localhost:8080", "https://localhost:8080"),
            ("LOCALHOST", "http://localhost"), ("localhost:80", "http://localhost"),
            ("localhost", "http://localhost:80"), ("localhost:443", "https://localhost"),
            ("[::1]:8", "http://[::1]:8"),
        ])
    func originWithTheHostAndPortOfTheHubMatches(host: String, origin: String) throws {
        #expect(try #require(CanonicalAuthority(host)).isOrigin(origin))
    }

    @Test(
        "An origin with another host or port does not match the hub",
        arguments: [
            "null", "", "http://", "localhost:8080", "http://evil.example", "http://localhost",
            "http://localhost:8081", "http://localhost:8080/", "http://localhost:8080.evil.example",
            "http://x@localhost:8080", "http://127.0.0.1:8080", "ws://localhost:8080",
            "http://localhost:8080, http://localhost:8080", "HTTP://localhost:8080",
            "http://localhost.:8080", "file://", "http://localhost:8080#",
        ])
    func originWithAnotherHostOrPortDoesNotMatchTheHub(origin: String) throws {
        #expect(!(try #require(CanonicalAuthority("localhost:8080")).isOrigin(origin)))
    }
}
