import HTTPTypes
import TestServing
import TestSupport
import Testing

@testable import LocalHub

@Suite(.bounded) struct AddressTests {
    @Test("A request to an unknown hub returns the recorded 404 response")
    func requestToAnUnknownHubReturnsTheRecorded404Response() async throws {
        let hub = try HubUnderTest()
        for token in [nil, TestToken.make(.developmentFull)] {
            let response = try await hub.request(
                .post, "/other/messages", token: token, headers: ["TrackingId": "id"])
            #expect(response.status == .notFound)
            #expect(
                response.text == """
                    <Error><Code>404</Code><Detail>No service is hosted at the specified \
                    address..TrackingId:id_G0,TimeStamp:12/31/2025 11:00:00 PM</Detail></Error>
                    """)
        }
    }

    @Test(
        "An unknown path returns 404",
        arguments: [
            "//", "/hubsend/unknown", "/hubsend/messages/a/b", "/hubsend//messages",
            "/hubsend/installations", "/hubsend/installations/a/b", "/hubsend/tags/a",
            "/%252ehubsend/token", "/hubsend/../.hubsend/token",
        ])
    func unknownPathReturns404(uri: String) async throws {
        let hub = try HubUnderTest()
        let response = try await hub.request(.post, uri)
        #expect(response.status == .notFound)
        #expect(response.text.hasPrefix("<Error><Code>404</Code><Detail>"))
    }

    @Test(
        "An unknown path below /.hubsend returns an error in JSON",
        arguments: [
            "/.hubsend/other", "/.HUBSEND/other/", "/%2ehubsend/other",
            "/.hubsend/devices/a/b", "/.hubsend/token/x", "/.hubsend/feedback/x",
        ])
    func unknownPathBelowHubsendReturnsAnErrorInJSON(uri: String) async throws {
        let hub = try HubUnderTest()
        let response = try await hub.request(.get, uri, token: nil)
        #expect(response.status == .notFound)
        #expect(response.header("Content-Type") == "application/json; charset=utf-8")
        #expect(response.text.hasPrefix("{\"error\":\"Th"))
        #expect(response.text.hasSuffix(".\"}\n"))
    }

    @Test(
        "A malformed address returns 400",
        arguments: [
            "/%", "/%zz/messages", "/hubsend/installations/%ff", "/hubsend/installations/a%2fb",
            "/hubsend/installations/%00", "/hubsend/messages?a=%", "hubsend/messages", "*", "",
        ])
    func malformedAddressReturns400(uri: String) async throws {
        let hub = try HubUnderTest()
        let response = try await hub.request(.post, uri)
        #expect(response.status == .badRequest)
        #expect(response.text.hasPrefix("<Error><Code>400</Code><Detail>"))
    }

    @Test(
        "An unsupported method returns 405",
        arguments: [
            (.get, "/hubsend/messages", "POST"), (.delete, "/hubsend/messages", "POST"),
            (.post, "/hubsend/installations/1", "GET, PUT, PATCH, DELETE"),
        ] as [(HTTPRequest.Method, String, String)])
    func unsupportedMethodReturns405(
        method: HTTPRequest.Method, uri: String, allowed: String
    ) async throws {
        let hub = try HubUnderTest()
        let response = try await hub.request(method, uri)
        #expect(response.status == .methodNotAllowed)
        #expect(response.header("Allow")?.contains(allowed) == true)
    }

    @Test(
        "A missing or malformed Host is refused",
        arguments: [
            nil, "", "a b", "a/b", "a,b", "host\"", "häuser", ":80",
            String(repeating: "a", count: 256),
        ] as [String?])
    func missingOrMalformedHostIsRefused(text: String?) {
        #expect(RequestAuthority(text) == nil)
    }

    @Test(
        "The host is read from an authority",
        arguments: [
            ("LocalHost:8080", "localhost"), ("127.0.0.1", "127.0.0.1"), ("[::1]:8080", "[::1]"),
            ("[::1]", "[::1]"), ("evil.com:80", "evil.com"),
        ])
    func hostIsReadFromAnAuthority(text: String, host: String) throws {
        let authority = try #require(RequestAuthority(text))
        #expect(authority.text == text)
        #expect(authority.host == host)
    }
}
