import CampaignCore
import Crypto
import Foundation
import HTTPTypes
import TestServing
import TestSupport
import Testing

@testable import AppBackend

/// Tries every route with every kind of caller, with real passwords, tokens and key files.
@Suite(.bounded)
struct AuthorizationMatrixTests {
    enum Asker: CaseIterable {
        case nobody, wrongPassword, otherUser, otherUserByPassword, owner, ownerByPassword, sender
        case expiredToken, tokenForAnotherAudience, tokenWithoutSignature, keyConfusion
        case brokenKeyFile, brokenPasswordFile

        /// The status for an unknown caller; nil for a known caller.
        var refusal: Int? {
            switch self {
            case .otherUser, .otherUserByPassword, .owner, .ownerByPassword, .sender: nil
            case .brokenKeyFile, .brokenPasswordFile: 503
            default: 401
            }
        }
    }

    /// A route, and the status that the owner, another user and a sender get.
    private struct Case {
        let method: HTTPRequest.Method
        let uri: String
        var body: String?
        let owner: Int
        let other: Int
        let sender: Int
    }

    /// The order matters: no request affects the next one.
    private static func cases(_ id: NotificationID) -> [Case] {
        let registration = #"{"Platform":"apns","Handle":"AB12","Tags":[]}"#
        let mine = "/api/notifications/\(id)"
        return [
            Case(method: .get, uri: mine, owner: 200, other: 404, sender: 404),
            Case(method: .head, uri: mine, owner: 200, other: 404, sender: 404),
            Case(method: .get, uri: mine + "?as=json", owner: 200, other: 404, sender: 404),
            Case(method: .put, uri: mine + "/read", owner: 204, other: 404, sender: 404),
            Case(method: .get, uri: "/api/notifications", owner: 200, other: 200, sender: 200),
            Case(method: .head, uri: "/api/notifications", owner: 200, other: 200, sender: 200),
            Case(
                method: .get, uri: "/api/notifications?unread=true", owner: 200, other: 200,
                sender: 200),
            Case(
                method: .post, uri: "/api/notifications?pns=apns&to_tag=alice", body: "\"hi\"",
                owner: 403, other: 403, sender: 200),
            Case(
                method: .post, uri: "/api/notifications", body: #"{"Payload":"x"}"#, owner: 403,
                other: 403, sender: 409),
            Case(method: .post, uri: "/api/register", owner: 200, other: 200, sender: 200),
            Case(
                method: .post, uri: "/api/register?handle=CD34", owner: 200, other: 200,
                sender: 200),
            Case(
                method: .put, uri: "/api/register/hers", body: registration, owner: 200,
                other: 410, sender: 410),
            Case(method: .delete, uri: "/api/register/hers", owner: 200, other: 200, sender: 200),
        ]
    }

    @Test("Every route admits only the callers it is meant for", arguments: Asker.allCases)
    func everyRouteAdmitsOnlyTheCallersItIsMeantFor(asker: Asker) async throws {
        let identity = try TestIdentity()
        let issuer = try await TestIssuer(.es256)
        let authenticator = try await identity.authenticator(
            BackendSettings(
                users: try identity.folder.write(
                    TestPasswords.alice + TestPasswords.bob, to: "users", mode: 0o600),
                jwt: try identity.rules([issuer])))
        if asker == .brokenKeyFile || asker == .brokenPasswordFile {
            let file = asker == .brokenKeyFile ? "key-0" : "users"
            try identity.folder.write("neither key nor users", to: file, mode: 0o600)
            await authenticator.refresh()
            await authenticator.refresh()
        }
        let authorization = try Self.authorization(of: asker, issuer)
        try await BackendUnderTest.run({
            $0.signIn = authenticator
            $0.challenges = authenticator.challenges
            $0.fileProblem = { authenticator.fileProblem }
        }) { backend in
            let id = try await backend.notify([.alice])
            try await backend.store.issue("hers", to: .alice, handle: nil, at: backend.time.now())
            for route in Self.cases(id) {
                // Requests are infrequent enough to stay below the limits.
                identity.time.advance(by: .seconds(120))
                let answer = try await backend.request(
                    route.method, route.uri, authorization: authorization, body: route.body)
                let expected =
                    switch asker {
                    case .owner, .ownerByPassword: route.owner
                    case .otherUser, .otherUserByPassword: route.other
                    case .sender: route.sender
                    default: asker.refusal ?? 0
                    }
                #expect(answer.status.code == expected, "\(asker) \(route.method) \(route.uri)")
                let challenges = answer.headers[values: .wwwAuthenticate]
                #expect(challenges == (expected == 401 ? authenticator.challenges : []))
                #expect((answer.header("Retry-After") != nil) == (expected == 503))
            }
            let isOwner = asker == .owner || asker == .ownerByPassword
            #expect((try await backend.store.registration("hers") == nil) == isOwner)
            #expect((try await backend.received(id, .alice)?.read != nil) == isOwner)
            #expect(backend.sender.pages.count == (asker == .sender ? 1 : 0))
            if asker.refusal != nil { #expect(backend.hub.calls.isEmpty) }
            let health = try await backend.request(.get, "/health", authorization: authorization)
            #expect(health.status == .ok)
            let ready = try await backend.request(.get, "/ready", authorization: authorization)
            #expect(ready.status.code == (asker.refusal == 503 ? 503 : 200))
        }
    }

    private static func authorization(of asker: Asker, _ issuer: TestIssuer) throws -> String? {
        let now = Int(TestTime.start.timeIntervalSince1970)
        switch asker {
        case .nobody: return nil
        case .wrongPassword: return TestPasswords.basic("alice", "wrong horse")
        case .otherUserByPassword: return TestPasswords.basic("bob")
        case .ownerByPassword, .brokenPasswordFile: return TestPasswords.basic("alice")
        case .otherUser: return "Bearer " + (try issuer.token(TestIssuer.claims(of: "bob")))
        case .sender: return "Bearer " + (try issuer.token(TestIssuer.claims(of: "sam")))
        case .owner, .brokenKeyFile: return "Bearer " + (try issuer.token())
        case .expiredToken:
            return "Bearer "
                + (try issuer.token(
                    TestIssuer.claims(of: "alice", ["iat": "\(now - 900)", "exp": "\(now - 300)"])))
        case .tokenForAnotherAudience:
            return "Bearer "
                + (try issuer.token(TestIssuer.claims(of: "alice", ["aud": "\"another\""])))
        case .tokenWithoutSignature:
            let header = #"{"alg":"none","kid":"key"}"#
            return "Bearer " + unsigned(header) + "."
        case .keyConfusion:
            let signed = unsigned(#"{"alg":"HS256","kid":"key"}"#)
            let code = HMAC<SHA256>.authenticationCode(
                for: Array(signed.utf8), using: SymmetricKey(data: Array(issuer.keyFile.utf8)))
            return "Bearer " + signed + "." + Array(code).base64URL
        }
    }

    private static func unsigned(_ header: String) -> String {
        Array(header.utf8).base64URL + "." + Array(TestIssuer.claims().utf8).base64URL
    }
}
