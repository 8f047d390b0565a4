import HTTPTypes
import TestServing
import TestSupport
import Testing

@testable import LocalHub

@Suite(.bounded) struct AddressTests {
    @Test func anotherHubsNameIsTheRecorded404() async throws {
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

    @Test(arguments: [
        "//", "/hubsend/unknown", "/hubsend/messages/a/b", "/hubsend//messages",
        "/hubsend/installations", "/hubsend/installations/a/b", "/hubsend/tags/a",
        "/%252ehubsend/token", "/hubsend/../.hubsend/token",
    ])
    func anUnknownPathIs404(uri: String) async throws {
        let hub = try HubUnderTest()
        let response = try await hub.request(.post, uri)
        #expect(response.status == .notFound)
        #expect(response.text.hasPrefix("<Error><Code>404</Code><Detail>"))
    }

    @Test(arguments: [
        "/.hubsend/other", "/.HUBSEND/other/", "/%2ehubsend/other",
        "/.hubsend/devices/a/b", "/.hubsend/token/x", "/.hubsend/feedback/x",
    ])
    func anUnknownPathBelowTheInspectionIsAJSONSentence(uri: String) async throws {
        let hub = try HubUnderTest()
        let response = try await hub.request(.get, uri, token: nil)
        #expect(response.status == .notFound)
        #expect(response.header("Content-Type") == "application/json; charset=utf-8")
        #expect(response.text.hasPrefix("{\"error\":\"There is no"))
        #expect(response.text.hasSuffix(".\"}\n"))
    }

    @Test(arguments: [
        "/%", "/%zz/messages", "/hubsend/installations/%ff", "/hubsend/installations/a%2fb",
        "/hubsend/installations/%00", "/hubsend/messages?a=%", "hubsend/messages", "*", "",
    ])
    func aMalformedAddressIs400(uri: String) async throws {
        let hub = try HubUnderTest()
        let response = try await hub.request(.post, uri)
        #expect(response.status == .badRequest)
        #expect(response.text.hasPrefix("<Error><Code>400</Code><Detail>"))
    }

    @Test(
        arguments: [
            (.get, "/hubsend/messages", "POST"), (.delete, "/hubsend/messages", "POST"),
            (.post, "/hubsend/installations/1", "GET, PUT, PATCH, DELETE"),
        ] as [(HTTPRequest.Method, String, String)])
    func aMethodThatAPathDoesNotHaveIs405(
        method: HTTPRequest.Method, uri: String, allowed: String
    ) async throws {
        let hub = try HubUnderTest()
        let response = try await hub.request(method, uri)
        #expect(response.status == .methodNotAllowed)
        #expect(response.header("Allow")?.contains(allowed) == true)
    }

    @Test(
        arguments: [
            nil, "", "a b", "a/b", "a,b", "host\"", "häuser", ":80",
            String(repeating: "a", count: 256),
        ] as [String?])
    func aMissingOrMalformedHostIsNoAuthority(text: String?) {
        #expect(RequestAuthority(text) == nil)
    }

    @Test(arguments: [
        ("LocalHost:8080", "localhost"), ("127.0.0.1", "127.0.0.1"), ("[::1]:8080", "[::1]"),
        ("[::1]", "[::1]"), ("evil.com:80", "evil.com"),
    ])
    func anAuthorityKnowsItsHost(text: String, host: String) throws {
        let authority = try #require(RequestAuthority(text))
        #expect(authority.text == text)
        #expect(authority.host == host)
    }
}
