import CampaignCore
import TestSupport
import Testing

@testable import AppBackend

/// Which keys of a set count, and for what.
@Suite(.bounded) struct KeySetTests {
    private static let publicAlgorithms = TokenAlgorithm.allCases.filter { !$0.isSymmetric }

    private func fault(
        _ text: String, for algorithms: [TokenAlgorithm] = publicAlgorithms
    ) async -> KeySetFault? {
        do throws(KeySetFault) {
            _ = try await TokenKeys(keySet: Array(text.utf8), for: algorithms)
            return nil
        } catch {
            return error
        }
    }

    private func tokenFault(
        _ token: String, _ set: String, for algorithms: [TokenAlgorithm]
    ) async throws -> TokenFault? {
        let keys = try await TokenKeys(keySet: Array(set.utf8), for: algorithms)
        do throws(TokenFault) {
            try keys.check(try CompactToken(token[...]))
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: publicAlgorithms)
    func aKeyOfASetChecksTokensOfEachAlgorithm(algorithm: TokenAlgorithm) async throws {
        let issuer = try await TestIssuer(algorithm)
        let set = TestIssuer.keySet(issuer.published())
        #expect(try await tokenFault(issuer.token(), set, for: [algorithm]) == nil)
        let named = TestIssuer.keySet(
            issuer.published(
                "\"alg\":\"\(algorithm.rawValue)\",\"use\":\"sig\",\"key_ops\":[\"verify\"]"))
        #expect(try await tokenFault(issuer.token(), named, for: Self.publicAlgorithms) == nil)
    }

    @Test func onlyTheAlgorithmsOfTheConfigCount() async throws {
        let rsa = try await TestIssuer(.rs256)
        let probabilistic = try await TestIssuer(.ps256)
        let set = TestIssuer.keySet(rsa.published())
        #expect(
            try await tokenFault(probabilistic.token(), set, for: [.rs256]) == .wrongAlgorithm)
        #expect(try await tokenFault(probabilistic.token(), set, for: [.rs256, .ps256]) == nil)
        #expect(await fault(set, for: [.es256]) == .noKey([.es256]))
        let other = try rsa.token(header: "{\"alg\":\"none\",\"kid\":\"key\"}")
        #expect(try await tokenFault(other, set, for: [.rs256]) == .wrongAlgorithm)
    }

    @Test func whatAKeySaysOfItselfCounts() async throws {
        let issuer = try await TestIssuer(.rs256)
        for more in [
            "\"alg\":\"RS512\"", "\"alg\":\"RSA-OAEP\"", "\"use\":\"enc\"", "\"use\":\"\"",
            "\"key_ops\":[]", "\"key_ops\":[\"encrypt\"]", "\"key_ops\":\"verify\"", "\"alg\":7",
            "\"d\":\"AQ\"",
        ] {
            #expect(
                await fault(TestIssuer.keySet(issuer.published(more)), for: [.rs256])
                    == .noKey([.rs256]), "\(more)")
        }
    }

    @Test func aSharedSecretOfASetIsNoKey() async throws {
        let secret = try await TestIssuer(.hs256)
        let issuer = try await TestIssuer(.es256, id: "other")
        #expect(
            await fault(TestIssuer.keySet(secret.published())) == .noKey(Self.publicAlgorithms))
        let set = TestIssuer.keySet(secret.published("\"alg\":\"HS256\""), issuer.published())
        #expect(
            try await tokenFault(secret.token(), set, for: Self.publicAlgorithms)
                == .wrongAlgorithm)
        #expect(try await tokenFault(issuer.token(), set, for: Self.publicAlgorithms) == nil)
    }

    @Test func aTokenWithoutKidIsForKeysWithoutOne() async throws {
        let nameless = try await TestIssuer(.es256, id: nil)
        let second = try await TestIssuer(.es256, id: nil)
        let named = try await TestIssuer(.es256)
        let both = TestIssuer.keySet(nameless.published(), second.published())
        #expect(try await tokenFault(nameless.token(), both, for: [.es256]) == nil)
        #expect(try await tokenFault(second.token(), both, for: [.es256]) == nil)
        #expect(try await tokenFault(named.token(), both, for: [.es256]) == .unknownKey)
        let one = TestIssuer.keySet(named.published())
        #expect(try await tokenFault(nameless.token(), one, for: [.es256]) == .unknownKey)
        let stranger = try await TestIssuer(.es256, id: nil)
        #expect(try await tokenFault(stranger.token(), both, for: [.es256]) == .wrongSignature)
    }

    @Test func keysOfTheSameNameAreToldApartByTheirKind() async throws {
        let curve = try await TestIssuer(.es256)
        let rsa = try await TestIssuer(.rs256)
        let set = TestIssuer.keySet(curve.published(), rsa.published())
        #expect(try await tokenFault(curve.token(), set, for: [.es256, .rs256]) == nil)
        #expect(try await tokenFault(rsa.token(), set, for: [.es256, .rs256]) == nil)
    }

    @Test(arguments: [
        "", "[]", "null", "{}", "{\"keys\":{}}", "{\"keys\":\"none\"}", "\u{0}", "<html></html>",
        "{\"keys\":[",
    ])
    func whatIsNoSetIsRefused(text: String) async {
        #expect(await fault(text) == .noKeySet)
    }

    @Test func aHostileSetIsRefusedWithoutACrash() async throws {
        let issuer = try await TestIssuer(.es256)
        let deep = String(repeating: "[", count: 100_000)
        #expect(await fault("{\"keys\":[\(deep)") == .noKeySet)
        #expect(await fault("{\"x\":\(deep)") == .noKeySet)
        let huge = String(repeating: " ", count: KeySetDocument.limit)
        #expect(
            await fault(TestIssuer.keySet(issuer.published()) + huge)
                == .document(.tooLarge(limit: KeySetDocument.limit)))
        let many = Array(repeating: "{}", count: KeySetDocument.mostKeys + 1)
        #expect(await fault("{\"keys\":[\(many.joined(separator: ","))]}") == .tooManyKeys)
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
                await fault(TestIssuer.keySet(key)) == .noKey(Self.publicAlgorithms), "\(key)")
            // A good key next to it counts.
            #expect(await fault(TestIssuer.keySet(key, issuer.published())) == nil, "\(key)")
        }
    }
}
