import CampaignCore
import Logging
import TestSupport
import Testing

@testable import AppBackend

@Suite(.bounded) struct KeySetTests {
    private static let publicAlgorithms = TokenAlgorithm.allCases.filter { !$0.isSymmetric }

    private func problem(
        _ text: String, for algorithms: [TokenAlgorithm] = publicAlgorithms
    ) async -> KeySetError? {
        do throws(KeySetError) {
            _ = try await TokenKeys(keySet: Array(text.utf8), for: algorithms)
            return nil
        } catch {
            if case .noKey(let algorithms, _) = error { return .noKey(algorithms) }
            return error
        }
    }

    private func tokenProblem(
        _ token: String, _ set: String, for algorithms: [TokenAlgorithm]
    ) async throws -> TokenError? {
        let keys = try await TokenKeys(keySet: Array(set.utf8), for: algorithms)
        do throws(TokenError) {
            try keys.check(try CompactToken(Array(token.utf8)[...]))
            return nil
        } catch {
            return error
        }
    }

    @Test("A key set can verify tokens of every algorithm", arguments: publicAlgorithms)
    func keySetCanVerifyTokensOfEveryAlgorithm(algorithm: TokenAlgorithm) async throws {
        let issuer = try await TestIssuer(algorithm)
        let set = TestIssuer.keySet(issuer.published())
        #expect(try await tokenProblem(issuer.token(), set, for: [algorithm]) == nil)
        let named = TestIssuer.keySet(
            issuer.published(
                "\"alg\":\"\(algorithm.rawValue)\",\"use\":\"sig\",\"key_ops\":[\"verify\"]"))
        #expect(try await tokenProblem(issuer.token(), named, for: Self.publicAlgorithms) == nil)
    }

    @Test("Only the algorithms in the config are accepted")
    func onlyTheAlgorithmsInTheConfigAreAccepted() async throws {
        let rsa = try await TestIssuer(.rs256)
        let probabilistic = try await TestIssuer(.ps256)
        let set = TestIssuer.keySet(rsa.published())
        #expect(
            try await tokenProblem(probabilistic.token(), set, for: [.rs256])
                == .wrongAlgorithm("PS256", expected: ["RS256"]))
        #expect(try await tokenProblem(probabilistic.token(), set, for: [.rs256, .ps256]) == nil)
        #expect(await problem(set, for: [.es256]) == .noKey([.es256]))
        let other = try rsa.token(header: "{\"alg\":\"none\",\"kid\":\"key\"}")
        #expect(
            try await tokenProblem(other, set, for: [.rs256])
                == .wrongAlgorithm("none", expected: ["RS256"]))
    }

    @Test("A key is used only for the purposes that the key set allows")
    func keyIsUsedOnlyForThePurposesThatTheKeySetAllows() async throws {
        let issuer = try await TestIssuer(.rs256)
        for more in [
            "\"alg\":\"RS512\"", "\"alg\":\"RSA-OAEP\"", "\"use\":\"enc\"", "\"use\":\"\"",
            "\"key_ops\":[]", "\"key_ops\":[\"encrypt\"]", "\"key_ops\":\"verify\"", "\"alg\":7",
            "\"d\":\"AQ\"",
        ] {
            #expect(
                await problem(TestIssuer.keySet(issuer.published(more)), for: [.rs256])
                    == .noKey([.rs256]), "\(more)")
        }
    }

    @Test(
        "A key is accepted with missing or extra leading zeros",
        arguments: [TokenAlgorithm.es256, .es384, .es512, .rs256])
    func keyIsAcceptedWithMissingOrExtraLeadingZeros(algorithm: TokenAlgorithm) async throws {
        let size = [TokenAlgorithm.es256: 32, .es384: 48, .es512: 66][algorithm]
        var issuer = try await TestIssuer(algorithm)
        // One key in 256 has a leading zero in its y; with P-521, every second key does.
        while try size != nil && issuer.number("y").first != 0 {
            issuer = try await TestIssuer(algorithm)
        }
        for name in size == nil ? ["n", "e"] : ["x", "y"] {
            let number = try issuer.number(name)
            for changed in [Array(number.drop { $0 == 0 }), [0] + number, [0, 0] + number] {
                for end in ["", "="] {
                    let key = try issuer.published(replacing: name, with: changed.base64URL + end)
                    #expect(
                        try await tokenProblem(
                            issuer.token(), TestIssuer.keySet(key), for: [algorithm]) == nil,
                        "\(name) \(changed.count)")
                }
            }
        }
    }

    @Test("The message says why a key is not used")
    func messageSaysWhyAKeyIsNotUsed() async throws {
        let issuer = try await TestIssuer(.rs256)
        let curve = try await TestIssuer(.es256, id: "curve")
        let set = TestIssuer.keySet(
            issuer.published(), issuer.published("\"use\":\"enc\""), curve.published(),
            issuer.published("\"alg\":\"RS512\""), issuer.published("\"key_ops\":[]"),
            issuer.published("\"d\":\"AQ\""), issuer.published("\"alg\":7"), "7",
            try issuer.published(replacing: "n", with: "AQAB"))
        let keys = try await TokenKeys(keySet: Array(set.utf8), for: [.rs256])
        let begin = "The issuer's key with the kid \"key\" is not used: "
        #expect(
            keys.unused.map(\.sentence) == [
                begin + "its use is \"enc\", not \"sig\".",
                begin.replacing("key\"", with: "curve\"")
                    + "its kty is \"EC\", crv is \"P-256\", but the config's algorithms are RS256.",
                begin
                    + "its alg is \"RS512\", kty is \"RSA\", but the config's algorithms are RS256.",
                begin + "its key_ops does not contain \"verify\".",
                begin + "it is a secret or a private key.",
                begin + "a member is missing or has the wrong type.",
                "The issuer's key without a kid is not used: "
                    + "a member is missing or has the wrong type.",
                begin + "its parameters are missing, too small or not on its curve.",
            ])
        // Issuers also publish keys for encryption.
        #expect(
            keys.unused.map { $0.level == .warning } == [false]
                + Array(repeating: true, count: 7))
    }

    @Test("An unused key in a file is logged once")
    func unusedKeyInAFileIsLoggedOnce() async throws {
        let identity = try TestIdentity()
        let issuer = try await TestIssuer(.rs256)
        let bad = try issuer.published(replacing: "n", with: "AQAB").replacing(
            "\"key\"", with: "\"bad\"")
        let path = try identity.folder.write(TestIssuer.keySet(issuer.published(), bad), to: "keys")
        let rules = TokenRules(
            issuer: TestIssuer.name, audience: TestIssuer.audience,
            keySet: TokenKeySet(place: .file(path), algorithms: [.rs256]))
        let authenticator = try await identity.authenticator(BackendSettings(jwt: rules))
        for _ in 1...3 { await authenticator.refresh() }
        #expect(
            identity.sentences == [
                "warning: The issuer's key with the kid \"bad\" is not used: "
                    + "its parameters are missing, too small or not on its curve."
            ])
        #expect(await authenticator.answer("Bearer " + (try issuer.token())) == "alice")
    }

    @Test("A shared secret in a key set is not used")
    func sharedSecretInAKeySetIsNotUsed() async throws {
        let secret = try await TestIssuer(.hs256)
        let issuer = try await TestIssuer(.es256, id: "other")
        #expect(
            await problem(TestIssuer.keySet(secret.published())) == .noKey(Self.publicAlgorithms))
        let set = TestIssuer.keySet(secret.published("\"alg\":\"HS256\""), issuer.published())
        #expect(
            try await tokenProblem(secret.token(), set, for: Self.publicAlgorithms)
                == .wrongAlgorithm("HS256", expected: Self.publicAlgorithms.map(\.rawValue)))
        #expect(try await tokenProblem(issuer.token(), set, for: Self.publicAlgorithms) == nil)
    }

    @Test("A token without a kid matches only keys without a kid")
    func tokenWithoutAKidMatchesOnlyKeysWithoutAKid() async throws {
        let nameless = try await TestIssuer(.es256, id: nil)
        let second = try await TestIssuer(.es256, id: nil)
        let named = try await TestIssuer(.es256)
        let both = TestIssuer.keySet(nameless.published(), second.published())
        #expect(try await tokenProblem(nameless.token(), both, for: [.es256]) == nil)
        #expect(try await tokenProblem(second.token(), both, for: [.es256]) == nil)
        #expect(try await tokenProblem(named.token(), both, for: [.es256]) == .unknownKey("key"))
        let one = TestIssuer.keySet(named.published())
        #expect(try await tokenProblem(nameless.token(), one, for: [.es256]) == .unknownKey(nil))
        let stranger = try await TestIssuer(.es256, id: nil)
        #expect(try await tokenProblem(stranger.token(), both, for: [.es256]) == .wrongSignature)
    }

    @Test("Keys with the same ID are distinguished by type")
    func keysWithTheSameIDAreDistinguishedByType() async throws {
        let curve = try await TestIssuer(.es256)
        let rsa = try await TestIssuer(.rs256)
        let set = TestIssuer.keySet(curve.published(), rsa.published())
        #expect(try await tokenProblem(curve.token(), set, for: [.es256, .rs256]) == nil)
        #expect(try await tokenProblem(rsa.token(), set, for: [.es256, .rs256]) == nil)
    }

    @Test(
        "A document that is not a key set is refused",
        arguments: [
            "", "[]", "null", "{}", "{\"keys\":{}}", "{\"keys\":\"none\"}", "\u{0}",
            "<html></html>",
            "{\"keys\":[",
        ])
    func documentThatIsNotAKeySetIsRefused(text: String) async {
        #expect(await problem(text) == .noKeySet)
    }

    @Test("A hostile key set is refused without a crash")
    func hostileKeySetIsRefusedWithoutACrash() async throws {
        let issuer = try await TestIssuer(.es256)
        let deep = String(repeating: "[", count: 100_000)
        #expect(await problem("{\"keys\":[\(deep)") == .noKeySet)
        #expect(await problem("{\"x\":\(deep)") == .noKeySet)
        let huge = String(repeating: " ", count: KeySetDocument.limit)
        #expect(
            await problem(TestIssuer.keySet(issuer.published()) + huge)
                == .document(.tooLarge(limit: KeySetDocument.limit)))
        let many = Array(repeating: "{}", count: KeySetDocument.mostKeys + 1)
        #expect(await problem("{\"keys\":[\(many.joined(separator: ","))]}") == .tooManyKeys)
        let point = "\"kty\":\"EC\",\"crv\":\"P-256\",\"kid\":\"k\""
        for key in [
            "7", "null", "\"key\"", "[]", "{}", "{\"kty\":7}", "{\(point)}",
            "{\(point),\"x\":\"AA\",\"y\":\"AA\"}", "{\(point),\"x\":\"\",\"y\":\"\"}",
            "{\(point),\"x\":\"!\",\"y\":\"!\"}",
            "{\"kty\":\"RSA\",\"kid\":\"k\",\"n\":\"\",\"e\":\"\"}",
            "{\"kty\":\"RSA\",\"kid\":\"k\",\"n\":\"AQAB\",\"e\":\"AQAB\"}",
            "{\"kty\":\"RSA\",\"kid\":\"k\",\"n\":\"\(String(repeating: "_", count: 100_000))\",\"e\":\"AQAB\"}",
            "{\"kty\":\"OKP\",\"crv\":\"Ed25519\",\"kid\":\"k\",\"x\":\"AA\"}",
            "{\"kty\":\"OKP\",\"crv\":\"X25519\",\"kid\":\"k\",\"x\":\"AA\"}",
        ] {
            #expect(
                await problem(TestIssuer.keySet(key)) == .noKey(Self.publicAlgorithms), "\(key)")
            // A valid key in the same set is used.
            #expect(await problem(TestIssuer.keySet(key, issuer.published())) == nil, "\(key)")
        }
    }
}
