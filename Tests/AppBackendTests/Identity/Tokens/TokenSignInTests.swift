import CampaignCore
import Foundation
import TestSupport
import Testing

@testable import AppBackend

@Suite(.bounded) struct TokenSignInTests {
    private static let now = Int(TestTime.start.timeIntervalSince1970)

    @Test("A valid token of each algorithm signs in", arguments: TokenAlgorithm.allCases)
    func validTokenOfEachAlgorithmSignsIn(algorithm: TokenAlgorithm) async throws {
        let issuer = try await TestIssuer(algorithm)
        let authenticator = try await TestIdentity().authenticator(issuer)
        #expect(await authenticator.answer("Bearer " + (try issuer.token())) == "alice")
        #expect(authenticator.challenges == ["Bearer"])
    }

    @Test(
        "A token with invalid claims is refused",
        arguments: [
            (["aud": "\"other\""], "aud is \"other\", but the config's audience is \"hubsend\""),
            (["aud": "[\"other\",\"hubsend2\"]"], "aud is \"other hubsend2\", but the config's"),
            (["aud": "[]"], "aud is \"\", but the config's"),
            (["aud": ""], "has no aud"),
            (["aud": "7"], "aud has the wrong type"),
            (
                ["iss": "\"https://other.example\""],
                "iss is \"https://other.example\", but the config's"
            ),
            (
                ["iss": "\"https://issuer.example/\""],
                "iss is \"https://issuer.example/\", but the config's issuer is \"https://issuer.example\""
            ),
            (["iss": ""], "has no iss"),
            (["exp": ""], "has no exp"),
            (["exp": "\"\(now + 60)\""], "exp has the wrong type"),
            (["exp": "null"], "exp has the wrong type"),
            (["exp": "1e999"], "claims cannot be read as JSON"),
            (
                ["exp": "\(now - 30)"],
                "expired at 2026-12-01T08:59:30Z; the time here is 2026-12-01"
            ),
            (["exp": "-1"], "expired at 1969-12-31T23:59:59Z"),
            (["exp": "-1e300"], "expired at 0000-01-01T00:00:00Z"),
            (["exp": "\(now + 7201)"], "valid for 7201 s, but longest_lifetime is 7200 s"),
            (["iat": "", "exp": "\(now + 7231)"], "valid for 7201 s"),
            (["iat": "\(now - 7000)", "exp": "\(now + 300)"], "valid for 7300 s"),
            (["exp": "1e300"], "longest_lifetime is 7200 s"),
            (
                ["nbf": "\(now + 31)"],
                "nbf is 2026-12-01T09:00:31Z; the time here is 2026-12-01T09:00:00Z"
            ),
            (["iat": "\(now + 31)"], "iat is 2026-12-01T09:00:31Z"),
            (["nbf": "\"soon\""], "nbf has the wrong type"),
            (["sub": ""], "has no sub, or it is not a string"),
            (["sub": "7"], "has no sub"),
            (["sub": "null"], "has no sub"),
            (["sub": "[\"alice\"]"], "has no sub"),
            (["sub": "\"\""], "sub is \"\", which is empty"),
            (["sub": "\"al ice\""], "sub is \"al ice\", which has a space"),
            (["sub": "\"alice\\u0000\""], "sub is \"alice?\", which has"),
            (["sub": "\"alice || username:bob\""], "which has"),
            (["sub": "\"auth0|5f7c\""], "sub is \"auth0|5f7c\", which has the character \"|\""),
        ])
    func tokenWithInvalidClaimsIsRefused(changes: [String: String], words: String) async throws {
        let issuer = try await TestIssuer(.es256)
        let authenticator = try await TestIdentity().authenticator(issuer)
        let token = try issuer.token(TestIssuer.claims(changes))
        guard case .unauthenticated(let reason) = await authenticator.refusal("Bearer " + token)
        else {
            Issue.record("\(changes)")
            return
        }
        #expect(reason.hasPrefix("the token") && reason.contains(words), "\(reason)")
        #expect(token.split(separator: ".").allSatisfy { !reason.contains($0) })
    }

    @Test(
        "Claims within the limits are accepted",
        arguments: [
            ["exp": "\(now - 29)", "iat": "\(now - 60)"],
            ["exp": "\(now + 7200)"],
            ["iat": "", "exp": "\(now + 7200)"],
            ["nbf": "\(now + 30)", "iat": "\(now + 30)"],
            ["aud": "[\"other\",\"hubsend\"]"],
            ["exp": "\(now + 60).5"],
            ["extra": "{\"a\":[1,2]}"],
        ])
    func claimsWithinTheLimitsAreAccepted(changes: [String: String]) async throws {
        let issuer = try await TestIssuer(.es256)
        let authenticator = try await TestIdentity().authenticator(issuer)
        let token = try issuer.token(TestIssuer.claims(changes))
        #expect(await authenticator.answer("Bearer " + token) == "alice")
    }

    @Test("The username comes from the claim that the config specifies")
    func usernameComesFromTheClaimThatTheConfigSpecifies() async throws {
        let identity = try TestIdentity()
        let issuer = try await TestIssuer(.es256)
        let rules = try identity.rules([issuer], claim: "preferred_username")
        let authenticator = try await identity.authenticator(BackendSettings(jwt: rules))
        let token = try issuer.token(TestIssuer.claims(["preferred_username": "\"carol\""]))
        #expect(await authenticator.answer("Bearer " + token) == "carol")
        #expect(await authenticator.answer("Bearer " + (try issuer.token())) == "401")
    }

    @Test("A token expires even while it is in use")
    func tokenExpiresEvenWhileItIsInUse() async throws {
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

    @Test("A key verifies only the tokens that name it")
    func keyVerifiesOnlyTheTokensThatNameIt() async throws {
        let first = try await TestIssuer(.es256, id: "first")
        let second = try await TestIssuer(.rs256, id: "second")
        let authenticator = try await TestIdentity().authenticator(first, second)
        #expect(await authenticator.answer("Bearer " + (try first.token())) == "alice")
        #expect(await authenticator.answer("Bearer " + (try second.token())) == "alice")
        let swapped = try first.token(header: "{\"alg\":\"ES256\",\"kid\":\"second\"}")
        #expect(
            await authenticator.refusal("Bearer " + swapped)
                == .unauthenticated(
                    reason: TokenError.wrongAlgorithm("ES256", expected: ["RS256"]).description))
    }

    @Test("A key without an ID verifies tokens without an ID")
    func keyWithoutAnIDVerifiesTokensWithoutAnID() async throws {
        let issuer = try await TestIssuer(.es256, id: nil)
        let authenticator = try await TestIdentity().authenticator(issuer)
        #expect(await authenticator.answer("Bearer " + (try issuer.token())) == "alice")
        let named = try issuer.token(header: "{\"alg\":\"ES256\",\"kid\":\"key\"}")
        #expect(
            await authenticator.refusal("Bearer " + named)
                == .unauthenticated(reason: TokenError.unknownKey("key").description))
    }

    @Test("Expired tokens from an address do not lock out its users")
    func expiredTokensFromAnAddressDoNotLockOutItsUsers() async throws {
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
