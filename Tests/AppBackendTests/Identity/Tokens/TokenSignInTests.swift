import CampaignCore
import Foundation
import TestSupport
import Testing

@testable import AppBackend

@Suite(.bounded) struct TokenSignInTests {
    private static let now = Int(TestTime.start.timeIntervalSince1970)

    @Test(arguments: TokenAlgorithm.allCases)
    func aGoodTokenOfEachAlgorithmLetsIn(algorithm: TokenAlgorithm) async throws {
        let issuer = try await TestIssuer(algorithm)
        let authenticator = try await TestIdentity().authenticator(issuer)
        #expect(await authenticator.answer("Bearer " + (try issuer.token())) == "alice")
        #expect(authenticator.challenges == ["Bearer"])
    }

    @Test(arguments: [
        (["aud": "\"other\""], TokenFault.wrongAudience),
        (["aud": "[\"other\",\"hubsend2\"]"], .wrongAudience),
        (["aud": "[]"], .wrongAudience),
        (["aud": ""], .malformedClaims),
        (["aud": "7"], .malformedClaims),
        (["iss": "\"https://other.example\""], .wrongIssuer),
        (["iss": "\"https://issuer.example/\""], .wrongIssuer),
        (["iss": ""], .malformedClaims),
        (["exp": ""], .malformedClaims),
        (["exp": "\"\(now + 60)\""], .malformedClaims),
        (["exp": "null"], .malformedClaims),
        (["exp": "1e999"], .malformedClaims),
        (["exp": "\(now - 30)"], .expired),
        (["exp": "-1"], .expired),
        (["exp": "\(now + 7201)"], .livesTooLong),
        (["iat": "", "exp": "\(now + 7231)"], .livesTooLong),
        (["iat": "\(now - 7000)", "exp": "\(now + 300)"], .livesTooLong),
        (["exp": "1e300"], .livesTooLong),
        (["nbf": "\(now + 31)"], .notYetValid),
        (["iat": "\(now + 31)"], .notYetValid),
        (["nbf": "\"soon\""], .malformedClaims),
        (["sub": ""], .noUsername),
        (["sub": "7"], .noUsername),
        (["sub": "null"], .noUsername),
        (["sub": "[\"alice\"]"], .noUsername),
        (["sub": "\"\""], .noUsername),
        (["sub": "\"al ice\""], .noUsername),
        (["sub": "\"alice\\u0000\""], .noUsername),
        (["sub": "\"alice || username:bob\""], .noUsername),
    ])
    func claimsThatAreNotGoodLetNobodyIn(
        changes: [String: String], fault: TokenFault
    ) async throws {
        let issuer = try await TestIssuer(.es256)
        let authenticator = try await TestIdentity().authenticator(issuer)
        let token = try issuer.token(TestIssuer.claims(changes))
        #expect(
            await authenticator.refusal("Bearer " + token)
                == .unauthenticated(reason: fault.description))
    }

    @Test(arguments: [
        ["exp": "\(now - 29)", "iat": "\(now - 60)"],
        ["exp": "\(now + 7200)"],
        ["iat": "", "exp": "\(now + 7200)"],
        ["nbf": "\(now + 30)", "iat": "\(now + 30)"],
        ["aud": "[\"other\",\"hubsend\"]"],
        ["exp": "\(now + 60).5"],
        ["extra": "{\"a\":[1,2]}"],
    ])
    func claimsWithinTheLimitsLetIn(changes: [String: String]) async throws {
        let issuer = try await TestIssuer(.es256)
        let authenticator = try await TestIdentity().authenticator(issuer)
        let token = try issuer.token(TestIssuer.claims(changes))
        #expect(await authenticator.answer("Bearer " + token) == "alice")
    }

    @Test func theUsernameIsTheClaimThatTheConfigNames() async throws {
        let identity = try TestIdentity()
        let issuer = try await TestIssuer(.es256)
        let rules = try identity.rules([issuer], claim: "preferred_username")
        let authenticator = try await identity.authenticator(BackendSettings(jwt: rules))
        let token = try issuer.token(TestIssuer.claims(["preferred_username": "\"carol\""]))
        #expect(await authenticator.answer("Bearer " + token) == "carol")
        #expect(await authenticator.answer("Bearer " + (try issuer.token())) == "401")
    }

    @Test func aTokenGetsOldWhileItIsUsed() async throws {
        let identity = try TestIdentity()
        let issuer = try await TestIssuer(.es256)
        let authenticator = try await identity.authenticator(issuer)
        let token = "Bearer " + (try issuer.token())
        #expect(await authenticator.answer(token) == "alice")
        identity.time.advance(by: .seconds(3629))
        #expect(await authenticator.answer(token) == "alice")
        identity.time.advance(by: .seconds(1))
        #expect(await authenticator.answer(token) == "401")
    }

    @Test func eachKeyChecksOnlyTheTokensThatNameIt() async throws {
        let first = try await TestIssuer(.es256, id: "first")
        let second = try await TestIssuer(.rs256, id: "second")
        let authenticator = try await TestIdentity().authenticator(first, second)
        #expect(await authenticator.answer("Bearer " + (try first.token())) == "alice")
        #expect(await authenticator.answer("Bearer " + (try second.token())) == "alice")
        let swapped = try first.token(header: "{\"alg\":\"ES256\",\"kid\":\"second\"}")
        #expect(
            await authenticator.refusal("Bearer " + swapped)
                == .unauthenticated(reason: TokenFault.wrongAlgorithm.description))
    }

    @Test func aKeyWithoutIDChecksTokensWithoutOne() async throws {
        let issuer = try await TestIssuer(.es256, id: nil)
        let authenticator = try await TestIdentity().authenticator(issuer)
        #expect(await authenticator.answer("Bearer " + (try issuer.token())) == "alice")
        let named = try issuer.token(header: "{\"alg\":\"ES256\",\"kid\":\"key\"}")
        #expect(
            await authenticator.refusal("Bearer " + named)
                == .unauthenticated(reason: TokenFault.unknownKey.description))
    }

    @Test func oldTokensOfAHouseKeepNobodyOut() async throws {
        let identity = try TestIdentity()
        let issuer = try await TestIssuer(.es256)
        let authenticator = try await identity.authenticator(issuer)
        let old = "Bearer " + (try issuer.token(TestIssuer.claims(["exp": "1"])))
        for _ in 0..<150 { #expect(await authenticator.answer(old) == "401") }
        for _ in 0..<100 { #expect(await authenticator.answer("Bearer forged") == "401") }
        #expect(await authenticator.answer("Bearer forged") == "429")
        #expect(await authenticator.answer(old) == "401")
        #expect(await authenticator.answer("Bearer " + (try issuer.token())) == "alice")
        #expect(await authenticator.answer("Bearer forged", from: "203.0.113.1") == "401")
    }
}
