import CampaignCore
import Files
import TestSupport
import Testing

@testable import AppBackend

@Suite(.bounded) struct TokenKeyTests {
    private func problem(
        _ content: String, for algorithm: TokenAlgorithm, mode: Int = 0o600
    ) async throws -> IdentityError? {
        let identity = try TestIdentity()
        let path = try identity.folder.write(content, to: "key", mode: mode)
        let rules = TokenRules(
            issuer: "i", audience: "a",
            keys: [TokenKey(id: "k", algorithm: algorithm, file: path)])
        do throws(IdentityError) {
            _ = try await Authenticator(
                settings: BackendSettings(jwt: rules), documents: ScriptedDocuments(),
                logger: identity.logger,
                clock: identity.time.clock)
            return nil
        } catch {
            #expect(error.description.contains(path))
            #expect(!error.description.contains("MIG"))
            return error
        }
    }

    private func keyProblem(
        _ content: String, for algorithm: TokenAlgorithm
    ) async throws -> TokenKeyError? {
        guard case .tokenKey(_, let problem) = try await problem(content, for: algorithm) else {
            return nil
        }
        return problem
    }

    @Test("A secret must be at least as long as the hash")
    func secretMustBeAtLeastAsLongAsTheHash() async throws {
        for (algorithm, least) in [(TokenAlgorithm.hs256, 32), (.hs384, 48), (.hs512, 64)] {
            let enough = String(repeating: "s", count: least)
            #expect(try await problem(enough, for: algorithm) == nil)
            #expect(try await problem(enough + "\r\n", for: algorithm) == nil)
            #expect(
                try await keyProblem(enough.dropLast() + "\n", for: algorithm)
                    == .secretTooShort(algorithm, bytes: least - 1, least: least))
        }
    }

    @Test("A public key is not accepted as a secret")
    func publicKeyIsNotAcceptedAsASecret() async throws {
        let issuer = try await TestIssuer(.rs256)
        #expect(try await keyProblem(issuer.keyFile, for: .hs256) == .keyAsSecret(.hs256))
    }

    @Test("A key of the wrong type is refused") func keyOfTheWrongTypeIsRefused() async throws {
        let rsa = try await TestIssuer(.rs256).keyFile
        let curve = try await TestIssuer(.es384).keyFile
        let edwards = try await TestIssuer(.edDSA).keyFile
        for algorithm in [TokenAlgorithm.es256, .es384, .es512, .edDSA] {
            #expect(try await keyProblem(rsa, for: algorithm) == .unusable(algorithm))
        }
        for algorithm in [TokenAlgorithm.es256, .es512, .edDSA, .rs256, .ps512] {
            #expect(try await keyProblem(curve, for: algorithm) == .unusable(algorithm))
        }
        #expect(try await keyProblem(edwards, for: .es256) == .unusable(.es256))
    }

    @Test("The message says what a file contains instead of a public key")
    func messageSaysWhatAFileContainsInsteadOfAPublicKey() async throws {
        #expect(try await keyProblem(TestKeys.smallRSA, for: .rs256) == .unusable(.rs256))
        #expect(try await keyProblem(TestKeys.rsa, for: .rs256) == .privateKey)
        #expect(try await keyProblem(TestKeys.certificate, for: .es256) == .certificate)
        #expect(try await keyProblem("", for: .es256) == .notPEM)
        #expect(try await keyProblem("a secret", for: .rs256) == .notPEM)
        #expect(
            try await keyProblem("-----BEGIN PUBLIC KEY-----\n", for: .es256) == .unusable(.es256))
    }

    @Test("A key file that others can read is refused")
    func keyFileThatOthersCanReadIsRefused() async throws {
        let secret = String(repeating: "s", count: 32)
        let key = try await TestIssuer(.es256).keyFile
        #expect(try await problem(key, for: .es256, mode: 0o644) == nil)
        guard
            case .file(.tokenSecret, _, .readableByOthers) = try await problem(
                secret, for: .hs256, mode: 0o604)
        else {
            Issue.record("a secret that others read was taken")
            return
        }
        guard
            case .file(.tokenKey, _, .writableByOthers) = try await problem(
                key, for: .es256, mode: 0o666)
        else {
            Issue.record("a key that others write was taken")
            return
        }
    }

    @Test("Keys that cannot be distinguished are refused")
    func keysThatCannotBeDistinguishedAreRefused() throws {
        func problem(_ ids: String?...) -> IdentityError? {
            do throws(IdentityError) {
                try TokenKeys.check(ids.map { TokenKey(id: $0, algorithm: .es256, file: "f") })
                return nil
            } catch {
                return error
            }
        }
        #expect(problem() == .tokenKeys(.none))
        #expect(problem("a", nil) == .tokenKeys(.unnamedAmongOthers))
        #expect(problem("a", "b", "a") == .tokenKeys(.duplicate(id: "a")))
        #expect(problem(nil) == nil)
        #expect(problem("a", "b") == nil)
    }

    @Test(
        "Base64url text is decoded",
        arguments: [
            ("", []), ("AA", [0]), ("AAA", [0, 0]), ("_-8", [0xFF, 0xEF]), ("AQID", [1, 2, 3]),
        ] as [(String, [UInt8])])
    func base64urlTextIsDecoded(text: String, bytes: [UInt8]) {
        #expect(Base64URL.decode(Array(text.utf8)) == bytes)
    }

    @Test(
        "Base64url text that is not canonical is refused",
        arguments: ["A", "AAAAA", "AB", "AAB", "AA=", "AA==", "A A", "++", "//", "AA\n"])
    func base64urlTextThatIsNotCanonicalIsRefused(text: String) {
        #expect(Base64URL.decode(Array(text.utf8)) == nil)
    }
}
