import CampaignCore
import Foundation
import HTTPTypes
import NIOCore
import TestServing
import TestSupport
import Testing

@testable import AppBackend

@Suite(.bounded) struct RegistrationTests {
    fileprivate static func body(
        _ platform: String = "apns", _ handle: String = "AB12", tags: String = "[]"
    ) -> String {
        "{\"Platform\":\"\(platform)\",\"Handle\":\"\(handle)\",\"Tags\":\(tags)}"
    }

    @Test("A new device gets its ID as a quoted string")
    func newDeviceGetsItsIDAsAQuotedString() async throws {
        let backend = try BackendUnderTest()
        let answer = try await backend.request(.post, "/api/register", as: .alice)
        #expect(answer.status == .ok)
        #expect(answer.text == "\"100-1-1\"")
        #expect(answer.header("Content-Type") == "application/json; charset=utf-8")
        #expect(try await backend.store.registration("100-1-1")?.user == .alice)
    }

    @Test("A known handle gets its existing ID, and its other IDs are removed")
    func knownHandleGetsItsExistingIDAndItsOtherIDsAreRemoved() async throws {
        let backend = try BackendUnderTest()
        for id in ["1", "2", "3"] {
            backend.time.move(by: 1)
            try await backend.store.issue(
                id, to: .alice, handle: HandleDigest(of: "AB12"), at: backend.time.now())
            backend.hub.put(id, .init(platform: .apns, handle: "AB12", tags: []))
        }
        let answer = try await backend.request(.post, "/api/register?handle=AB12", as: .alice)
        #expect(answer.text == "\"3\"")
        #expect(backend.hub.registrations.keys.sorted() == ["3"])
        #expect(try await backend.store.registration("2") == nil)
    }

    @Test(
        "APNs tokens are case-insensitive",
        arguments: [("ab12Cd", "AB12cD", true), ("ab12x", "AB12x", false)])
    func aPNsTokensAreCaseInsensitive(first: String, second: String, isSame: Bool)
        async throws
    {
        let backend = try BackendUnderTest()
        let one = try await backend.request(.post, "/api/register?handle=\(first)", as: .alice)
        let other = try await backend.request(.post, "/api/register?handle=\(second)", as: .alice)
        #expect((one.text == other.text) == isSame)
    }

    @Test("A browser is recognised by its subscription, however its JSON is written")
    func browserIsRecognisedByItsSubscriptionHoweverItsJSONIsWritten() async throws {
        let one =
            #"{\"endpoint\":\"https://push.example/1\",\"keys\":{\"p256dh\":\"BK\",\"auth\":\"S\"}}"#
        let other =
            #"{\"endpoint\":\"https://push.example/1\",\"expirationTime\":null,\"keys\":{\"auth\":\"S\",\"p256dh\":\"BK\"}}"#
        let backend = try BackendUnderTest()
        let handle = one.replacing("\\", with: "").addingPercentEncoding(
            withAllowedCharacters: .alphanumerics)
        let id = try await backend.request(
            .post, "/api/register?handle=\(try #require(handle))", as: .alice
        ).text.replacing("\"", with: "")
        for body in [Self.body("browser", one), Self.body("browser", other)] {
            let answer = try await backend.request(
                .put, "/api/register/\(id)", as: .alice, body: body)
            #expect(answer.status == .ok)
            #expect(backend.hub.registrations[id]?.platform == .browser)
        }
        let encoded = other.replacing("\\", with: "").addingPercentEncoding(
            withAllowedCharacters: .alphanumerics)
        let again = try await backend.request(
            .post, "/api/register?handle=\(try #require(encoded))", as: .alice)
        #expect(again.text == "\"\(id)\"")
    }

    @Test("A browser handle that is not a subscription is refused with an explanation")
    func browserHandleThatIsNotASubscriptionIsRefusedWithAn() async throws {
        let backend = try BackendUnderTest()
        let id = try await backend.request(.post, "/api/register", as: .alice)
            .text.replacing("\"", with: "")
        let answer = try await backend.request(
            .put, "/api/register/\(id)", as: .alice,
            body: Self.body("browser", "https://push.example/1"))
        #expect(answer.status == .badRequest)
        #expect(answer.text.contains("JSON.stringify(subscription)"))
    }

    @Test("A handle never reveals another user's ID")
    func handleNeverRevealsAnotherUsersID() async throws {
        let backend = try BackendUnderTest()
        try await backend.store.issue(
            "1", to: .alice, handle: HandleDigest(of: "AB12"), at: backend.time.now())
        backend.hub.put("1", .init(platform: .apns, handle: "AB12", tags: ["username:alice"]))
        let answer = try await backend.request(.post, "/api/register?handle=AB12", as: .bob)
        #expect(answer.text == "\"100-1-1\"")
        #expect(backend.hub.registrations["1"] != nil)
    }

    @Test(
        "A device is registered with its user's tag",
        arguments: ["apns", "APNS", "fcm", "gcm", "Gcm", "wns"])
    func deviceIsRegisteredWithItsUsersTag(platform: String) async throws {
        let backend = try BackendUnderTest()
        _ = try await backend.request(.post, "/api/register", as: .alice)
        let answer = try await backend.request(
            .put, "/api/register/100-1-1", as: .alice,
            body: Self.body(platform, tags: "[\"news\",\"city:Bonn\",\"news\",\"username:alice\"]"))
        #expect(answer.status == .ok)
        let made = backend.hub.registrations["100-1-1"]
        #expect(made?.tags == ["username:alice", "news", "city:Bonn"])
        #expect(
            made?.platform
                == (platform.lowercased() == "gcm"
                    ? .fcm : Platform(rawValue: platform.lowercased())))
        #expect(made?.handle == "AB12")
    }

    @Test(
        "A refusal names the tag that is not allowed",
        arguments: [
            "username:bob", "USERNAME:alice", "from:alice", "$InstallationId:{x}",
            "news,username:bob",
            "", "other", "News",
        ])
    func refusalNamesTheTagThatIsNotAllowed(tag: String) async throws {
        let backend = try BackendUnderTest()
        _ = try await backend.request(.post, "/api/register", as: .alice)
        let answer = try await backend.request(
            .put, "/api/register/100-1-1", as: .alice, body: Self.body(tags: "[\"\(tag)\"]"))
        #expect(answer.status == .forbidden)
        #expect(
            try answer.json()["Message"] as? String == "The tag \"\(tag)\" is not allowed here."
        )
        #expect(backend.hub.registrations.isEmpty)
    }

    @Test("A device may have up to sixty tags, including its user's")
    func deviceMayHaveUpToSixtyTagsIncludingItsUsers() async throws {
        let backend = try BackendUnderTest()
        _ = try await backend.request(.post, "/api/register", as: .alice)
        for (count, status) in [(59, 200), (60, 400), (61, 400)] {
            let tags = (1...count).map { "\"city:\($0)\"" }.joined(separator: ",")
            let answer = try await backend.request(
                .put, "/api/register/100-1-1", as: .alice, body: Self.body(tags: "[\(tags)]"))
            #expect(answer.status.code == status)
        }
    }

    @Test(
        "A malformed registration gets 400",
        arguments: [
            "", "{}", "[]", "null", "\"apns\"", "{\"Platform\":\"apns\"}",
            "{\"Platform\":1,\"Handle\":\"A\"}",
            body("mpns"), body("baidu"), body(""), body("apns", ""), body("apns", "a b"),
            body("apns", "a\\u0000"), body("apns", String(repeating: "A", count: 2_049)),
            body(tags: "[1]"), body(tags: "{}"), String(repeating: "[", count: 10_000),
        ])
    func malformedRegistrationGets400(body: String) async throws {
        let backend = try BackendUnderTest()
        _ = try await backend.request(.post, "/api/register", as: .alice)
        let answer = try await backend.request(
            .put, "/api/register/100-1-1", as: .alice, body: body)
        #expect(answer.status == .badRequest)
        #expect(try answer.json()["Message"] != nil)
        #expect(backend.hub.registrations.isEmpty)
    }

    @Test(
        "A request with another user's ID gets 410 and never reaches the hub",
        arguments: ["7", "..%2Fmessages", "100-1-1%3Fapi-version", "%F0%9F%92%A5"])
    func requestWithAnotherUsersIDGets410AndNeverReachesTheHub(id: String) async throws {
        let backend = try BackendUnderTest()
        try await backend.store.issue("7", to: .bob, handle: nil, at: backend.time.now())
        let put = try await backend.request(
            .put, "/api/register/\(id)", as: .alice, body: Self.body())
        #expect(put.status == .gone)
        let delete = try await backend.request(.delete, "/api/register/\(id)", as: .alice)
        #expect(delete.status == .ok)
        #expect(backend.hub.calls.isEmpty)
        #expect(try await backend.store.registration("7")?.user == .bob)
    }

    @Test("A phone that changes hands is removed from its former user")
    func phoneThatChangesHandsIsRemovedFromItsFormerUser() async throws {
        let backend = try BackendUnderTest()
        _ = try await backend.request(.post, "/api/register?handle=AB12", as: .alice)
        _ = try await backend.put("100-1-1", as: .alice)
        backend.hub.put("stray", .init(platform: .apns, handle: "AB12", tags: ["username:eve"]))
        _ = try await backend.request(.post, "/api/register?handle=AB12", as: .bob)
        let answer = try await backend.put("100-2-1", as: .bob)
        #expect(answer.status == .ok)
        #expect(backend.hub.registrations.keys.sorted() == ["100-2-1"])
        #expect(backend.hub.registrations["100-2-1"]?.tags == ["username:bob"])
        let former = try await backend.put("100-1-1", as: .alice)
        #expect(former.status == .gone)
    }

    @Test("If two users register a handle simultaneously, the last one keeps it")
    func ifTwoUsersRegisterAHandleSimultaneouslyTheLastOneKeepsIt() async throws {
        let backend = try BackendUnderTest()
        _ = try await backend.request(.post, "/api/register", as: .alice)
        _ = try await backend.request(.post, "/api/register", as: .bob)
        // Bob's whole request arrives between Alice's steps at the hub and in the store.
        backend.hub.interrupt(.register("100-1-1")) {
            await backend.expectRegistration(of: "100-2-1", as: .bob)
        }
        let answer = try await backend.put("100-1-1", as: .alice)
        #expect(answer.status == .ok)
        #expect(backend.hub.registrations.keys.sorted() == ["100-1-1"])
    }

    @Test("The losing registration's ID is kept until the hub has deleted it")
    func losingRegistrationsIDIsKeptUntilTheHubHasDeletedIt() async throws {
        let backend = try BackendUnderTest()
        _ = try await backend.request(.post, "/api/register", as: .alice)
        _ = try await backend.request(.post, "/api/register", as: .bob)
        // Bob's whole request arrives between Alice's steps at the hub and in the store; then the
        // hub fails her request.
        backend.hub.interrupt(.register("100-1-1")) {
            await backend.expectRegistration(of: "100-2-1", as: .bob)
            backend.hub.fail(.delete("100-2-1"), with: .unavailable("no connection"))
        }
        let failed = try await backend.put("100-1-1", as: .alice)
        #expect(failed.status == .serviceUnavailable)
        let loser = try await backend.put("100-2-1", as: .bob)
        #expect(loser.status == .gone)
        let digest = HandleDigest(of: "AB12")
        func others() async throws -> [String] {
            try await backend.store.use(
                "100-1-1", of: .alice, platform: .apns, handle: digest, at: backend.time.now())
        }
        #expect(try await others() == ["100-2-1"])
        backend.hub.fail(.delete("100-2-1"), with: nil)
        let next = try await backend.put("100-1-1", as: .alice)
        #expect(next.status == .ok)
        #expect(backend.hub.registrations.keys.sorted() == ["100-1-1"])
        #expect(try await others() == [])
    }

    @Test("An ID that is deleted during its registration is also deleted at the hub")
    func idThatIsDeletedDuringItsRegistrationIsAlsoDeletedAtTheHub() async throws {
        let backend = try BackendUnderTest()
        _ = try await backend.request(.post, "/api/register", as: .alice)
        backend.hub.interrupt(.register("100-1-1")) {
            do {
                let answer = try await backend.request(.delete, "/api/register/100-1-1", as: .alice)
                #expect(answer.status == .ok)
            } catch {
                Issue.record(error)
            }
        }
        let answer = try await backend.put("100-1-1", as: .alice)
        #expect(answer.status == .gone)
        #expect(backend.hub.registrations.isEmpty)
    }

    @Test("An ID that no longer exists at the hub is forgotten")
    func idThatNoLongerExistsAtTheHubIsForgotten() async throws {
        let backend = try BackendUnderTest()
        _ = try await backend.request(.post, "/api/register?handle=AB12", as: .alice)
        backend.hub.fail(.register("100-1-1"), with: .gone)
        let answer = try await backend.put("100-1-1", as: .alice)
        #expect(answer.status == .gone)
        let next = try await backend.request(.post, "/api/register?handle=AB12", as: .alice)
        #expect(next.text == "\"100-2-1\"")
    }

    @Test(
        "Each kind of hub failure produces its own response",
        arguments: [
            (RegistrarFailure.refused("the handle AB12 is bad"), 400, nil),
            (.busy(after: .milliseconds(1_200)), 503, "2"), (.busy(after: nil), 503, "5"),
            (.unavailable("no connection"), 503, "5"),
            (.misconfigured("no Listen claim"), 503, "60"),
        ])
    func eachKindOfHubFailureProducesItsOwnResponse(
        failure: RegistrarFailure, status: Int, retryAfter: String?
    ) async throws {
        let backend = try BackendUnderTest()
        _ = try await backend.request(.post, "/api/register", as: .alice)
        backend.hub.fail(.register("100-1-1"), with: failure)
        let answer = try await backend.put("100-1-1", as: .alice)
        #expect(answer.status.code == status)
        #expect(answer.header("Retry-After") == retryAfter)
        #expect(!answer.text.contains("AB12"))
        // The ID works again once the hub works again.
        backend.hub.fail(.register("100-1-1"), with: nil)
        let next = try await backend.put("100-1-1", as: .alice)
        #expect(next.status == .ok)
    }

    @Test("If a user has too many registrations, the oldest one is removed")
    func ifAUserHasTooManyRegistrationsTheOldestOneIsRemoved() async throws {
        let backend = try BackendUnderTest { $0.limits.registrationsPerUser = 3 }
        for _ in 1...4 {
            backend.time.move(by: 1)
            _ = try await backend.request(.post, "/api/register", as: .alice)
        }
        let held = try await backend.store.registrations(of: .alice, handle: nil, limit: 10)
        #expect(held.map(\.id) == ["100-4-1", "100-3-1", "100-2-1"])
        #expect(backend.hub.calls.contains(.delete("100-1-1")))
    }

    @Test("A deleted registration is removed from the hub and the store")
    func deletedRegistrationIsRemovedFromTheHubAndTheStore() async throws {
        let backend = try BackendUnderTest()
        _ = try await backend.request(.post, "/api/register", as: .alice)
        _ = try await backend.put("100-1-1", as: .alice)
        for _ in 1...2 {
            let answer = try await backend.request(.delete, "/api/register/100-1-1", as: .alice)
            #expect(answer.status == .ok)
        }
        #expect(backend.hub.registrations.isEmpty)
        #expect(try await backend.store.registration("100-1-1") == nil)
    }
}

extension BackendUnderTest {
    fileprivate func put(_ id: String, as user: Username) async throws -> TestResponse {
        try await request(.put, "/api/register/\(id)", as: user, body: RegistrationTests.body())
    }

    fileprivate func expectRegistration(of id: String, as user: Username) async {
        do {
            #expect(try await put(id, as: user).status == .ok)
        } catch {
            Issue.record(error)
        }
    }
}
