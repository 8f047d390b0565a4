import CampaignCore
import Foundation
import HTTPServing
import HTTPTypes
import NIOCore
import TestServing
import TestSupport
import Testing

@testable import AppBackend

@Suite(.bounded) struct AccessControlTests {
    /// Every route that needs a signed-in caller, with a body that it accepts.
    static let routes: [(HTTPRequest.Method, String, String?)] = [
        (.post, "/api/register?handle=AB12", nil),
        (.put, "/api/register/1", #"{"Platform":"apns","Handle":"AB12","Tags":[]}"#),
        (.delete, "/api/register/1", nil),
        (.get, "/api/notifications", nil), (.head, "/api/notifications", nil),
        (.post, "/api/notifications?pns=apns&to_tag=alice", "\"hi\""),
        (.post, "/api/notifications", #"{"Payload":"x"}"#),
        (.get, "/api/notifications/\(NotificationID.placeholder)", nil),
        (.head, "/api/notifications/\(NotificationID.placeholder)", nil),
        (.put, "/api/notifications/\(NotificationID.placeholder)/read", nil),
    ]

    @Test("Without credentials, every protected route returns 401", arguments: routes.indices)
    func withoutCredentialsEveryProtectedRouteReturns401(index: Int) async throws {
        let (method, uri, body) = Self.routes[index]
        let backend = try BackendUnderTest()
        let answer = try await backend.request(method, uri, body: body)
        #expect(answer.status == .unauthorized)
        #expect(answer.header("WWW-Authenticate") == "Basic realm=\"hubsend\"")
        #expect(backend.hub.calls.isEmpty && backend.sender.pages.isEmpty)
    }

    @Test("Refused sign-ins say when to try again", arguments: routes.indices)
    func refusedSignInsSayWhenToTryAgain(index: Int) async throws {
        let (method, uri, body) = Self.routes[index]
        let backend = try BackendUnderTest()
        let limited = try await backend.request(
            method, uri, as: Username(checked: "!limited"), body: body)
        #expect(limited.status == .tooManyRequests)
        #expect(limited.header("Retry-After") == "30")
        let closed = try await backend.request(
            method, uri, as: Username(checked: "!closed"), body: body)
        #expect(closed.status == .serviceUnavailable)
        #expect(closed.header("Retry-After") == "10")
        #expect(!closed.text.contains("broken"))
    }

    @Test("A page from a foreign origin cannot change anything", arguments: routes.indices)
    func pageFromAForeignOriginCannotChangeAnything(index: Int) async throws {
        let (method, uri, body) = Self.routes[index]
        let isChange = method != .get && method != .head
        let backend = try BackendUnderTest()
        for user in [Username.sam, nil] {
            let answer = try await backend.request(
                method, uri, as: user, headers: ["Origin": "https://evil.example"], body: body)
            #expect((answer.status == .forbidden) == isChange)
        }
        let own = try await backend.request(
            method, uri, as: .sam, headers: ["Origin": "https://localhost"], body: body)
        #expect(own.status != .forbidden)
    }

    @Test(
        "A page from a listed origin can read responses, including refusals",
        arguments: routes.indices)
    func pageFromAListedOriginCanReadResponsesIncludingRefusals(index: Int) async throws {
        let (method, uri, body) = Self.routes[index]
        let backend = try BackendUnderTest { $0.origins = ["capacitor://localhost"] }
        for origin in ["capacitor://localhost", "ionic://localhost", nil] {
            for user in [Username.sam, nil] {
                let answer = try await backend.request(
                    method, uri, as: user, headers: origin.map { ["Origin": $0] } ?? [:],
                    body: body)
                let isListed = origin == "capacitor://localhost"
                #expect(answer.header("Access-Control-Allow-Origin") == (isListed ? origin : nil))
                let exposed = answer.header("Access-Control-Expose-Headers")
                #expect(exposed?.contains("ETag") == (isListed ? true : nil))
                #expect(answer.header("Access-Control-Allow-Credentials") == nil)
                #expect(answer.headers[values: .vary].contains("Origin"))
                #expect(!isListed || answer.status != .forbidden)
            }
        }
    }

    @Test("A preflight request is answered") func preflightRequestIsAnswered() async throws {
        let backend = try BackendUnderTest { $0.origins = ["capacitor://localhost"] }
        func ask(_ origin: String, _ uri: String = "/api/register/1") async throws
            -> TestResponse
        {
            try await backend.request(
                .options, uri,
                headers: ["Origin": origin, "Access-Control-Request-Method": "PUT"])
        }
        let answer = try await ask("capacitor://localhost")
        #expect(answer.status == .noContent)
        #expect(answer.header("Access-Control-Allow-Origin") == "capacitor://localhost")
        #expect(answer.header("Access-Control-Allow-Methods") == "PUT, DELETE")
        #expect(
            answer.header("Access-Control-Allow-Headers")
                == "Authorization, Content-Type, If-None-Match")
        #expect(answer.header("Access-Control-Max-Age") == "7200")
        #expect(answer.headers[values: .vary].contains("Origin"))
        #expect(try backend.auditLines().isEmpty)

        let other = try await ask("https://evil.example")
        #expect(other.status == .forbidden)
        #expect(other.header("Access-Control-Allow-Origin") == nil)
        #expect(try await ask("capacitor://localhost", "/none").status == .notFound)
        let lines = try backend.auditLines()
        #expect(
            lines.first?.contains(
                #"foreign_origin","reason":"the page's origin is \"https://evil"#) == true)
        let unlisted = try await BackendUnderTest().request(
            .options, "/api/register",
            headers: ["Origin": "null", "Access-Control-Request-Method": "POST"])
        #expect(unlisted.status == .forbidden)
    }

    @Test("Unencrypted credentials are refused without being checked", arguments: routes.indices)
    func unencryptedCredentialsAreRefusedWithoutBeingChecked(index: Int) async throws {
        let (method, uri, body) = Self.routes[index]
        let backend = try BackendUnderTest { $0.scheme = .http }
        let answer = try await backend.request(
            method, uri, as: Username(checked: "!limited"), body: body)
        #expect(answer.status == .badRequest)
        #expect(method == .head || answer.text.contains("https only"))
    }

    @Test("A signed-in user without permission gets 403")
    func signedInUserWithoutPermissionGets403() async throws {
        let backend = try BackendUnderTest()
        let answer = try await backend.request(
            .post, "/api/notifications", as: .alice, body: "{\"Payload\":\"x\"}")
        #expect(answer.status == .forbidden)
        #expect(answer.header("WWW-Authenticate") == nil)
    }

    @Test(
        "An unknown path or method returns an error message",
        arguments: [
            ("/", 404), ("", 400), ("/api", 404), ("/api/", 404), ("/api/other", 404),
            ("/healthy", 404),
            ("/api/notifications/a/b", 404), ("/api/notifications/a/read/b", 404),
            ("/api/register", 405), ("/api/register/", 405), ("/api/register/1", 405),
            ("/api/notifications/a/read", 405), ("/%", 400), ("/api/notifications?a=%", 400),
            ("nonsense", 400),
            ("/?" + String(repeating: "a&", count: 17), 400),
            ("/api/notifications/" + String(repeating: "a", count: 8_192), 414),
        ])
    func unknownPathOrMethodReturnsAnErrorMessage(uri: String, status: Int) async throws {
        let backend = try BackendUnderTest()
        let answer = try await backend.request(.get, uri, as: .alice)
        #expect(answer.status.code == status)
        #expect(try answer.json().keys.sorted() == ["Message"])
        #expect((answer.header("Allow") != nil) == (status == 405))
    }

    @Test(
        "A wrong method gets 405 and the list of allowed methods",
        arguments: [
            (HTTPRequest.Method.patch, "/api/notifications", "GET, HEAD, POST"),
            (.options, "/api/register", "POST"), (.delete, "/api/notifications/a", "GET, HEAD"),
            (.post, "/health", "GET, HEAD"), (.trace, "/api/register/1", "PUT, DELETE"),
        ])
    func wrongMethodGets405AndTheListOfAllowedMethods(
        method: HTTPRequest.Method, uri: String, allowed: String
    ) async throws {
        let backend = try BackendUnderTest()
        let answer = try await backend.request(method, uri, as: .alice)
        #expect(answer.status == .methodNotAllowed)
        #expect(answer.header("Allow") == allowed)
    }

    @Test("Paths are case-insensitive") func pathsAreCaseInsensitive() async throws {
        let backend = try BackendUnderTest()
        let id = try await backend.notify([.alice])
        let answer = try await backend.request(.get, "/API/Notifications/\(id)/", as: .alice)
        #expect(answer.status == .ok)
    }

    @Test("A query may have at most sixteen parameters")
    func queryMayHaveAtMostSixteenParameters() throws {
        let sixteen = (1...16).map { "p\($0)=\($0)" }.joined(separator: "&")
        #expect(try RequestTarget("/?" + sixteen).query["p16"] == "16")
        #expect(throws: BackendFailure.self) { try RequestTarget("/?" + sixteen + "&b=2") }
    }

    @Test("A slow hub does not block requests that do not need it")
    func slowHubDoesNotBlockRequestsThatDoNotNeedIt() async throws {
        let backend = try BackendUnderTest { $0.limits.hubRequests = 1 }
        let id = try await backend.notify([.alice])
        backend.hub.interrupt(.create) {
            do {
                let second = try await backend.request(.post, "/api/register", as: .bob)
                #expect(second.status == .serviceUnavailable)
                #expect(second.header("Retry-After") == "1")
                let fetch = try await backend.request(.get, "/api/notifications/\(id)", as: .alice)
                #expect(fetch.status == .ok)
            } catch {
                Issue.record(error)
            }
        }
        let first = try await backend.request(.post, "/api/register", as: .alice)
        #expect(first.status == .ok)
        #expect(try await backend.request(.post, "/api/register", as: .bob).status == .ok)
    }

    @Test("A request above the concurrency limit waits")
    func requestAboveTheConcurrencyLimitWaits() async throws {
        let backend = try BackendUnderTest { $0.limits.requests = 1 }
        let (replies, reply) = AsyncStream.makeStream(of: TestResponse.self)
        backend.hub.interrupt(.create) {
            Task {
                reply.yield(try await backend.request(.get, "/api/notifications", as: .bob))
            }
        }
        let first = try await backend.request(.post, "/api/register", as: .alice)
        #expect(first.status == .ok)
        #expect(await replies.first { _ in true }?.status == .ok)
    }

    @Test("A request that has waited too long is refused")
    func requestThatHasWaitedTooLongIsRefused() async throws {
        try await BackendUnderTest.run({
            $0.useSocket()
            $0.limits.requests = 1
            $0.limits.requestTimeout = .milliseconds(20)
        }) { backend in
            backend.hub.interrupt(.create) {
                do {
                    let second = try await backend.request(.get, "/api/notifications", as: .bob)
                    #expect(second.status == .serviceUnavailable)
                    #expect(second.header("Retry-After") == "1")
                } catch {
                    Issue.record(error)
                }
            }
            let first = try await backend.request(.post, "/api/register", as: .alice)
            #expect(first.status == .ok)
        }
    }

    @Test("Too many simultaneous requests are refused")
    func tooManySimultaneousRequestsAreRefused() async throws {
        let backend = try BackendUnderTest { $0.limits.requests = 0 }
        let answer = try await backend.request(.get, "/api/notifications", as: .alice)
        #expect(answer.status == .serviceUnavailable)
        #expect(answer.header("Retry-After") == "1")
        #expect(try await backend.request(.get, "/health").status == .ok)
    }
}
