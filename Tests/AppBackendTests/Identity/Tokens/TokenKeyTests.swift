import CampaignCore
import Files
import TestSupport
import Testing

@testable import AppBackend

@Suite(.bounded) struct TokenKeyTests {
    private func fault(
        _ content: String, for algorithm: TokenAlgorithm, mode: Int = 0o600
    ) async throws -> IdentityFault? {
        let identity = try TestIdentity()
        let path = try identity.folder.write(content, to: "key", mode: mode)
        let rules = TokenRules(
            issuer: "i", audience: "a",
            keys: [TokenKey(id: "k", algorithm: algorithm, file: path)])
        do throws(IdentityFault) {
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

    private func keyFault(
        _ content: String, for algorithm: TokenAlgorithm
    ) async throws -> TokenKeyFault? {
        guard case .tokenKey(_, let fault) = try await fault(content, for: algorithm) else {
            return nil
        }
        return fault
    }

    @Test func aSecretIsAtLeastAsLongAsTheHash() async throws {
        for (algorithm, least) in [(TokenAlgorithm.hs256, 32), (.hs384, 48), (.hs512, 64)] {
            let enough = String(repeating: "s", count: least)
            #expect(try await fault(enough, for: algorithm) == nil)
            #expect(try await fault(enough + "\r\n", for: algorithm) == nil)
            #expect(
                try await keyFault(enough.dropLast() + "\n", for: algorithm)
                    == .secretTooShort(algorithm, bytes: least - 1, least: least))
        }
    }

    @Test func aPublicKeyIsNotTakenForASecret() async throws {
        let issuer = try await TestIssuer(.rs256)
        #expect(try await keyFault(issuer.keyFile, for: .hs256) == .keyAsSecret(.hs256))
    }

    @Test func aKeyOfAnotherKindIsRefused() async throws {
        let rsa = try await TestIssuer(.rs256).keyFile
        let curve = try await TestIssuer(.es384).keyFile
        let edwards = try await TestIssuer(.edDSA).keyFile
        for algorithm in [TokenAlgorithm.es256, .es384, .es512, .edDSA] {
            #expect(try await keyFault(rsa, for: algorithm) == .unusable(algorithm))
        }
        for algorithm in [TokenAlgorithm.es256, .es512, .edDSA, .rs256, .ps512] {
            #expect(try await keyFault(curve, for: algorithm) == .unusable(algorithm))
        }
        #expect(try await keyFault(edwards, for: .es256) == .unusable(.es256))
    }

    @Test func whatIsNoPublicKeyIsNamed() async throws {
        #expect(try await keyFault(TestKeys.smallRSA, for: .rs256) == .unusable(.rs256))
        #expect(try await keyFault(TestKeys.rsa, for: .rs256) == .privateKey)
        #expect(try await keyFault(TestKeys.certificate, for: .es256) == .certificate)
        #expect(try await keyFault("", for: .es256) == .notPEM)
        #expect(try await keyFault("a secret", for: .rs256) == .notPEM)
        #expect(
            try await keyFault("-----BEGIN PUBLIC KEY-----\n", for: .es256) == .unusable(.es256))
    }

    @Test func whoMayReadOrWriteTheFileIsChecked() async throws {
        let secret = String(repeating: "s", count: 32)
        let key = try await TestIssuer(.es256).keyFile
        #expect(try await fault(key, for: .es256, mode: 0o644) == nil)
        guard
            case .file(.tokenSecret, _, .readableByOthers) = try await fault(
                secret, for: .hs256, mode: 0o604)
        else {
            Issue.record("a secret that others read was taken")
            return
        }
        guard
            case .file(.tokenKey, _, .writableByOthers) = try await fault(
                key, for: .es256, mode: 0o666)
        else {
            Issue.record("a key that others write was taken")
            return
        }
    }

    @Test func keysThatCannotBeToldApartAreRefused() throws {
        func fault(_ ids: String?...) -> IdentityFault? {
            do throws(IdentityFault) {
                try TokenKeys.check(ids.map { TokenKey(id: $0, algorithm: .es256, file: "f") })
                return nil
            } catch {
                return error
            }
        }
        #expect(fault() == .tokenKeys(.none))
        #expect(fault("a", nil) == .tokenKeys(.unnamedAmongOthers))
        #expect(fault("a", "b", "a") == .tokenKeys(.duplicate(id: "a")))
        #expect(fault(nil) == nil)
        #expect(fault("a", "b") == nil)
    }

    @Test(
        arguments: [
            ("", []), ("AA", [0]), ("AAA", [0, 0]), ("_-8", [0xFF, 0xEF]), ("AQID", [1, 2, 3]),
        ] as [(String, [UInt8])])
    func base64URLIsDecoded(text: String, bytes: [UInt8]) {
        #expect(Base64URL.decode(Array(text.utf8)) == bytes)
    }

    @Test(arguments: ["A", "AAAAA", "AB", "AAB", "AA=", "AA==", "A A", "++", "//", "AA\n"])
    func whatIsNoCanonicalBase64URLIsNot(text: String) {
        #expect(Base64URL.decode(Array(text.utf8)) == nil)
    }
}
