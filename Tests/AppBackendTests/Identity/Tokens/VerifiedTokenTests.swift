import CampaignCore
import Foundation
import JWTKit
import TestSupport
import Testing

@testable import AppBackend

@Suite(.bounded) struct VerifiedTokenTests {
    private static let now = Int(TestTime.start.timeIntervalSince1970)

    private let identity: TestIdentity
    private let issuer: TestIssuer
    private let verification: CountedVerification

    init() async throws {
        identity = try TestIdentity()
        issuer = try await TestIssuer(.es256)
        verification = CountedVerification(of: issuer.signature)
    }

    /// An authenticator that counts signature checks; the key file is only there to reload the
    /// keys.
    private func signIn(mostTokens: Int = 100) async throws -> AppBackend.TokenSignIn {
        let rules = try identity.rules([issuer])
        let files = rules.keys.map { IdentityFile(role: .tokenKey, path: $0.file) }
        let verifiers = ["key": [TokenVerifier(verification, for: .es256)]]
        let keys = try await WatchedFiles(
            "tokens", files: files, logger: identity.logger, clock: identity.time.clock
        ) { _ throws(IdentityError) in
            TokenKeys(verifiers, mostTokens: mostTokens)
        }
        return AppBackend.TokenSignIn(rules: rules, keys: .files(keys), clock: identity.time.clock)
    }

    private func bytes(_ token: String) -> ArraySlice<UInt8> { Array(token.utf8)[...] }

    @Test("A token's signature is verified only once a minute")
    func tokensSignatureIsVerifiedOnlyOnceAMinute() async throws {
        let signIn = try await signIn()
        let token = bytes(try issuer.token())
        for _ in 0..<5 { #expect(try await signIn.user(of: token).get().text == "alice") }
        #expect(verification.count.value == 1)
        identity.time.advance(by: .milliseconds(59_999))
        #expect(try await signIn.user(of: token).get().text == "alice")
        #expect(verification.count.value == 1)
        identity.time.advance(by: .milliseconds(1))
        for _ in 0..<5 { #expect(try await signIn.user(of: token).get().text == "alice") }
        #expect(verification.count.value == 2)
    }

    @Test("A token in constant use is verified again every minute")
    func tokenInConstantUseIsVerifiedAgainEveryMinute() async throws {
        let signIn = try await signIn()
        let token = bytes(try issuer.token())
        for _ in 0..<120 {
            #expect(try await signIn.user(of: token).get().text == "alice")
            identity.time.advance(by: .seconds(1))
        }
        #expect(verification.count.value == 2)
    }

    @Test("A remembered token signs in only its own user")
    func rememberedTokenSignsInOnlyItsOwnUser() async throws {
        let signIn = try await signIn()
        let tokens = try ["alice", "bob", "carol"].map { name in
            (name, bytes(try issuer.token(TestIssuer.claims(of: name))))
        }
        for _ in 0..<3 {
            for (name, token) in tokens {
                #expect(try await signIn.user(of: token).get().text == name)
            }
        }
        #expect(verification.count.value == 3)
    }

    @Test("A remembered token still expires on time")
    func rememberedTokenStillExpiresOnTime() async throws {
        let signIn = try await signIn()
        let end = Self.now + 10
        let token = bytes(try issuer.token(TestIssuer.claims(["exp": "\(end)"])))
        #expect(try await signIn.user(of: token).get().text == "alice")
        identity.time.advance(by: .milliseconds(39_999))
        #expect(try await signIn.user(of: token).get().text == "alice")
        identity.time.advance(by: .milliseconds(1))
        #expect(
            try await signIn.user(of: token)
                == .failure(.expired(Double(end), now: Double(end + 30))))
        #expect(verification.count.value == 1)
    }

    @Test("A remembered token is not accepted early if the clock is set back")
    func rememberedTokenIsNotAcceptedEarlyIfTheClockIsSetBack() async throws {
        for claim in ["nbf", "iat"] {
            let signIn = try await signIn()
            var changes = ["iat": "", "exp": "\(Self.now + 60)"]
            changes[claim] = "\(Self.now)"
            let token = bytes(try issuer.token(TestIssuer.claims(changes)))
            #expect(try await signIn.user(of: token).get().text == "alice")
            identity.time.advance(by: .seconds(-31))
            #expect(
                try await signIn.user(of: token)
                    == .failure(.notYetValid(claim, Double(Self.now), now: Double(Self.now - 31))))
            identity.time.advance(by: .seconds(31))
        }
    }

    @Test("A refused token is checked again each time")
    func refusedTokenIsCheckedAgainEachTime() async throws {
        let signIn = try await signIn()
        let early = bytes(try issuer.token(TestIssuer.claims(["nbf": "\(Self.now + 31)"])))
        let forged = bytes(String(try issuer.token().dropLast(4)) + "AAAA")
        for _ in 0..<2 {
            await #expect(throws: TokenError.self) { try await signIn.user(of: early).get() }
            #expect(try await signIn.user(of: forged) == .failure(.wrongSignature))
        }
        #expect(verification.count.value == 4)
        identity.time.advance(by: .seconds(1))
        #expect(try await signIn.user(of: early).get().text == "alice")
    }

    @Test("If there are too many tokens, only the latest are remembered")
    func ifThereAreTooManyTokensOnlyTheLatestAreRemembered() async throws {
        let signIn = try await signIn(mostTokens: 8)
        let tokens = try (0..<20).map { bytes(try issuer.token(TestIssuer.claims(of: "u\($0)"))) }
        for token in tokens { _ = try await signIn.user(of: token).get() }
        #expect(verification.count.value == 20)
        for token in tokens.suffix(4) { _ = try await signIn.user(of: token).get() }
        #expect(verification.count.value == 20)
        for token in tokens.prefix(4) { _ = try await signIn.user(of: token).get() }
        #expect(verification.count.value == 24)
    }

    @Test("A token that differs by one character is not remembered")
    func tokenThatDiffersByOneCharacterIsNotRemembered() async throws {
        let authenticator = try await identity.authenticator(issuer)
        let good = Array("Bearer \(try issuer.token())".utf8)
        #expect(await authenticator.answer(String(decoding: good, as: UTF8.self)) == "alice")
        for index in 7..<good.count {
            var other = good
            other[index] = good[index] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
            let text = String(decoding: other, as: UTF8.self)
            // Several addresses are used, because each address may send only a few forgeries.
            #expect(await authenticator.answer(text, from: "192.0.2.\(index % 200)") == "401")
        }
        let text = String(decoding: good, as: UTF8.self)
        for other in [text + "A", String(text.dropLast()), text + ".", text + "="] {
            #expect(await authenticator.answer(other) == "401")
        }
        #expect(await authenticator.answer(text) == "alice")
    }

    @Test("A known header does not make another signature valid")
    func knownHeaderDoesNotMakeAnotherSignatureValid() async throws {
        let stranger = try await TestIssuer(.es256)
        let authenticator = try await identity.authenticator(issuer)
        #expect(await authenticator.answer("Bearer " + (try issuer.token())) == "alice")
        #expect(
            await authenticator.refusal("Bearer " + (try stranger.token()))
                == .unauthenticated(reason: TokenError.wrongSignature.description))
    }

    @Test("Tokens are accepted even if each of them has a different header")
    func tokensAreAcceptedEvenIfEachOfThemHasADifferentHeader() async throws {
        let authenticator = try await identity.authenticator(issuer)
        for number in 0..<100 {
            let header = "{\"alg\":\"ES256\",\"kid\":\"key\",\"n\":\(number)}"
            let token = try issuer.token(header: header)
            for _ in 0..<2 { #expect(await authenticator.answer("Bearer " + token) == "alice") }
        }
    }

    @Test("A remembered token is refused once its key in the file is replaced")
    func rememberedTokenIsRefusedOnceItsKeyInTheFileIsReplaced() async throws {
        let authenticator = try await identity.authenticator(issuer)
        let token = "Bearer " + (try issuer.token())
        #expect(await authenticator.answer(token) == "alice")
        let other = try await TestIssuer(.es256)
        try identity.folder.write(other.keyFile, to: "key-0", mode: 0o600)
        for _ in 0..<2 {
            #expect(await authenticator.answer(token) == "alice")
            await authenticator.refresh()
        }
        #expect(await authenticator.answer(token) == "401")
        #expect(await authenticator.answer("Bearer " + (try other.token())) == "alice")
        try identity.folder.write("", to: "key-0", mode: 0o600)
        for _ in 0..<2 { await authenticator.refresh() }
        #expect(await authenticator.answer("Bearer " + (try other.token())) == "503")
    }
}

private struct CountedVerification: JWTAlgorithm {
    let count = Watched(0)
    private let algorithm: any JWTAlgorithm

    init(of algorithm: any JWTAlgorithm) {
        self.algorithm = algorithm
    }

    var name: String { algorithm.name }

    func sign(_ plaintext: some DataProtocol) throws -> [UInt8] {
        try algorithm.sign(plaintext)
    }

    func verify(_ signature: some DataProtocol, signs plaintext: some DataProtocol) throws -> Bool {
        count.update { $0 += 1 }
        return try algorithm.verify(signature, signs: plaintext)
    }
}
