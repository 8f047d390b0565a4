import CampaignCore
import Crypto
import TestSupport
import Testing

@testable import AppBackend

@Suite(.bounded) struct TokenAttackTests {
    private let issuer: TestIssuer
    private let authenticator: Authenticator

    init() async throws {
        issuer = try await TestIssuer(.rs256)
        authenticator = try await TestIdentity().authenticator(issuer)
    }

    private func expect(
        _ token: String, _ problem: TokenError, _ location: SourceLocation = #_sourceLocation
    ) async {
        #expect(
            await authenticator.refusal("Bearer " + token)
                == .unauthenticated(reason: problem.description), sourceLocation: location)
    }

    private func unsigned(header: String, signature: [UInt8] = []) -> String {
        Array(header.utf8).base64URL + "." + Array(TestIssuer.claims().utf8).base64URL + "."
            + signature.base64URL
    }

    @Test(
        "A token without a signature is refused", arguments: ["none", "None", "NONE", "nOnE", ""])
    func tokenWithoutASignatureIsRefused(algorithm: String) async throws {
        let problem = TokenError.wrongAlgorithm(algorithm, expected: ["RS256"])
        await expect(unsigned(header: "{\"alg\":\"\(algorithm)\",\"kid\":\"key\"}"), problem)
        let signed = try issuer.token(header: "{\"alg\":\"\(algorithm)\",\"kid\":\"key\"}")
        await expect(signed, problem)
    }

    @Test("A public key cannot be used as a shared secret", arguments: ["HS256", "HS384", "HS512"])
    func publicKeyCannotBeUsedAsASharedSecret(algorithm: String) async throws {
        let header = "{\"alg\":\"\(algorithm)\",\"kid\":\"key\"}"
        let signed = Array(header.utf8).base64URL + "." + Array(TestIssuer.claims().utf8).base64URL
        for secret in [issuer.keyFile, issuer.keyFile + "\n"] {
            let key = SymmetricKey(data: Array(secret.utf8))
            let codes: [[UInt8]] = [
                Array(HMAC<SHA256>.authenticationCode(for: Array(signed.utf8), using: key)),
                Array(HMAC<SHA384>.authenticationCode(for: Array(signed.utf8), using: key)),
                Array(HMAC<SHA512>.authenticationCode(for: Array(signed.utf8), using: key)),
            ]
            let problem = TokenError.wrongAlgorithm(algorithm, expected: ["RS256"])
            for code in codes { await expect(signed + "." + code.base64URL, problem) }
        }
    }

    @Test(
        "A key accepts only its own algorithm",
        arguments: ["RS384", "PS256", "ES256", "rs256", "RS256 "])
    func keyAcceptsOnlyItsOwnAlgorithm(algorithm: String) async throws {
        await expect(
            try issuer.token(header: "{\"alg\":\"\(algorithm)\",\"kid\":\"key\"}"),
            .wrongAlgorithm(algorithm, expected: ["RS256"]))
    }

    @Test(
        "A key that is not in the config is not recognised",
        arguments: ["\"other\"", "\"\"", "\"KEY\"", "\"../key\"", "null"])
    func keyThatIsNotInTheConfigIsNotRecognised(kid: String) async throws {
        await expect(
            try issuer.token(header: "{\"alg\":\"RS256\",\"kid\":\(kid)}"),
            .unknownKey(kid == "null" ? nil : String(kid.dropFirst().dropLast())))
    }

    @Test("A token without a key ID is not tried with every key")
    func tokenWithoutAKeyIDIsNotTriedWithEveryKey() async throws {
        await expect(try issuer.token(header: "{\"alg\":\"RS256\"}"), .unknownKey(nil))
    }

    @Test("Keys inside a token are ignored") func keysInsideATokenAreIgnored() async throws {
        let stranger = try await TestIssuer(.es256)
        for extra in [
            "\"jwk\":{\"kty\":\"RSA\",\"n\":\"AQAB\",\"e\":\"AQAB\"}",
            "\"x5c\":[\"MIIB\"]", "\"jku\":\"http://127.0.0.1:9/keys\"",
            "\"x5u\":\"http://127.0.0.1:9/cert\"",
        ] {
            let header = "{\"alg\":\"RS256\",\"kid\":\"key\",\(extra)}"
            await expect(try stranger.token(header: header), .wrongSignature)
            #expect(
                await authenticator.answer("Bearer " + (try issuer.token(header: header)))
                    == "alice")
        }
    }

    @Test(
        "A token header that requires an extension is refused",
        arguments: ["\"crit\":[\"exp\"]", "\"crit\":[]", "\"crit\":null", "\"enc\":\"A128GCM\""])
    func tokenHeaderThatRequiresAnExtensionIsRefused(extra: String) async throws {
        await expect(
            try issuer.token(header: "{\"alg\":\"RS256\",\"kid\":\"key\",\(extra)}"),
            .unsupported(extra.contains("crit") ? "crit" : "enc"))
    }

    @Test(
        "Tokens for another purpose are refused",
        arguments: ["logout+jwt", "dpop+jwt", "secevent+jwt", ""])
    func tokensForAnotherPurposeAreRefused(type: String) async throws {
        await expect(
            try issuer.token(header: "{\"alg\":\"RS256\",\"kid\":\"key\",\"typ\":\"\(type)\"}"),
            .wrongType(type))
    }

    @Test("A token signed with another key is refused")
    func tokenSignedWithAnotherKeyIsRefused() async throws {
        let stranger = try await TestIssuer(.es256)
        let identity = try TestIdentity()
        let own = try await TestIssuer(.es256)
        let authenticator = try await identity.authenticator(own)
        #expect(
            await authenticator.refusal("Bearer " + (try stranger.token()))
                == .unauthenticated(reason: TokenError.wrongSignature.description))
    }

    @Test("A modified token is refused") func modifiedTokenIsRefused() async throws {
        let parts = try issuer.token().split(separator: ".").map(String.init)
        let other = Array(TestIssuer.claims(of: "bob").utf8).base64URL
        await expect([parts[0], other, parts[2]].joined(separator: "."), .wrongSignature)
        await expect([parts[0], parts[1], ""].joined(separator: "."), .wrongSignature)
        await expect([parts[0], parts[1], "AAAA"].joined(separator: "."), .wrongSignature)
        await expect([parts[0], parts[1]].joined(separator: "."), .malformed)
        await expect((parts + [parts[2]]).joined(separator: "."), .malformed)
        await expect([parts[0], parts[1], parts[2] + "="].joined(separator: "."), .malformed)
        await expect([parts[0] + "%", parts[1], parts[2]].joined(separator: "."), .malformed)
    }

    @Test("A signature of zeros is refused") func signatureOfZerosIsRefused() async throws {
        let own = try await TestIssuer(.es256)
        let authenticator = try await TestIdentity().authenticator(own)
        let token = unsigned(
            header: "{\"alg\":\"ES256\",\"kid\":\"key\"}",
            signature: [UInt8](repeating: 0, count: 64))
        #expect(await authenticator.answer("Bearer " + token) == "401")
    }

    @Test("A token that is too long is refused without being parsed")
    func tokenThatIsTooLongIsRefusedWithoutBeingParsed() async throws {
        let padding = String(repeating: "a", count: CompactToken.longest)
        await expect(try issuer.token(TestIssuer.claims(["pad": "\"\(padding)\""])), .tooLong)
    }

    @Test(
        "Text that is not a token is refused",
        arguments: [
            "a", "..", "a.b.c", "e30.e30.e30", "bnVsbA.e30.", "W10.e30.", "eyJhbGciOjF9.e30.",
            ".....",
        ])
    func textThatIsNotATokenIsRefused(token: String) async {
        await expect(token, .malformed)
    }

    @Test("A deeply nested header is refused without a crash")
    func deeplyNestedHeaderIsRefusedWithoutACrash() async {
        let deep = String(repeating: "[", count: 5_000)
        await expect(unsigned(header: "{\"alg\":\(deep)"), .malformed)
        let object = String(repeating: "{\"a\":", count: 1_000)
        await expect(unsigned(header: object), .malformed)
    }
}
