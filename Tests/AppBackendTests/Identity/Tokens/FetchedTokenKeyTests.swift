import CampaignCore
import Foundation
import TestSupport
import Testing

@testable import AppBackend

@Suite(.bounded) struct FetchedTokenKeyTests {
    private static let url = "https://id.example.com/keys"

    private let identity: TestIdentity
    private let old: TestIssuer
    private let new: TestIssuer
    private let documents: ScriptedDocuments

    init() async throws {
        identity = try TestIdentity()
        old = try await TestIssuer(.es256, id: "old")
        new = try await TestIssuer(.es256, id: "new")
        documents = ScriptedDocuments(TestIssuer.keySet(old.published()))
    }

    private func authenticator() async throws -> Authenticator {
        try await identity.authenticator(Self.settings(.url(Self.url)), documents: documents)
    }

    private static func settings(_ place: TokenKeySet.Place) -> BackendSettings {
        BackendSettings(
            jwt: TokenRules(
                issuer: TestIssuer.name, audience: TestIssuer.audience,
                keySet: TokenKeySet(place: place, algorithms: [.es256])))
    }

    private func keys() async throws -> FetchedTokenKeys {
        try await FetchedTokenKeys(
            Self.url, for: [.es256], from: documents, logger: identity.logger,
            clock: identity.time.clock)
    }

    private func publish(_ issuers: TestIssuer...) {
        let set = "{\"keys\":[\(issuers.map { $0.published() }.joined(separator: ","))]}"
        documents.answer.update { $0 = .success(Array(set.utf8)) }
    }

    private func bearer(_ issuer: TestIssuer) throws -> String {
        "Bearer "
            + (try issuer.token(
                TestIssuer.claims(["exp": ""]).dropLast()
                    + ",\"exp\":\(Int(identity.time.clock.date().timeIntervalSince1970) + 60)}"))
    }

    @Test("Keys are fetched once and cached") func keysAreFetchedOnceAndCached() async throws {
        let authenticator = try await authenticator()
        for _ in 0..<5 { #expect(await authenticator.answer(try bearer(old)) == "alice") }
        #expect(documents.fetches.value == 1)
    }

    @Test("A new key of the issuer works immediately")
    func newKeyOfTheIssuerWorksImmediately() async throws {
        let authenticator = try await authenticator()
        publish(old, new)
        identity.time.advance(by: FetchedTokenKeys.pause)
        #expect(await authenticator.answer(try bearer(new)) == "alice")
        #expect(await authenticator.answer(try bearer(old)) == "alice")
        #expect(documents.fetches.value == 2)
    }

    @Test("A token signed with a withdrawn key is refused once the new keys are fetched")
    func tokenSignedWithAWithdrawnKeyIsRefusedOnceTheNewKeysAre() async throws {
        let authenticator = try await authenticator()
        publish(new)
        identity.time.advance(by: FetchedTokenKeys.pause - .milliseconds(1))
        let token = try bearer(old)
        #expect(await authenticator.answer(token) == "alice")
        identity.time.advance(by: .milliseconds(1))
        #expect(await authenticator.answer(try bearer(new)) == "alice")
        #expect(await authenticator.answer(token) == "401")
    }

    @Test("A flood of unknown keys causes only one fetch a minute")
    func floodOfUnknownKeysCausesOnlyOneFetchAMinute() async throws {
        let authenticator = try await authenticator()
        identity.time.advance(by: FetchedTokenKeys.pause)
        let hold = Milestone()
        documents.hold.update { $0 = hold }
        let tokens = try (0..<50).map {
            try new.token(header: "{\"alg\":\"ES256\",\"kid\":\"\($0)\"}")
        }
        await withTaskGroup(of: String.self) { group in
            for (number, token) in tokens.enumerated() {
                group.addTask {
                    await authenticator.answer("Bearer " + token, from: "192.0.2.\(number)")
                }
            }
            hold.reach()
            for await answer in group { #expect(answer == "401") }
        }
        #expect(documents.fetches.value == 2)
        for token in tokens {
            #expect(await authenticator.answer("Bearer " + token, from: "198.51.100.1") == "401")
        }
        #expect(documents.fetches.value == 2)
        // A token with an algorithm outside the config does not cause a fetch either.
        identity.time.advance(by: FetchedTokenKeys.pause)
        let none = try new.token(header: "{\"alg\":\"none\",\"kid\":\"x\"}")
        #expect(await authenticator.answer("Bearer " + none) == "401")
        #expect(documents.fetches.value == 2)
        #expect(await authenticator.answer("Bearer " + tokens[0]) == "401")
        #expect(documents.fetches.value == 3)
    }

    @Test("A withdrawn key stops working within ten minutes")
    func withdrawnKeyStopsWorkingWithinTenMinutes() async throws {
        let keys = try await keys()
        publish(new)
        identity.time.advance(by: FetchedTokenKeys.freshness - .seconds(1))
        #expect(keys.refresh() == nil)
        identity.time.advance(by: .seconds(1))
        await keys.refresh()?.value
        let content = try keys.content()
        #expect(throws: TokenError.unknownKey("old")) {
            try content.check(CompactToken(Array(try old.token().utf8)[...]))
        }
        try content.check(CompactToken(Array(try new.token().utf8)[...]))
        #expect(keys.refresh() == nil)
    }

    @Test("If the issuer is unreachable, its keys remain valid for a day")
    func ifTheIssuerIsUnreachableItsKeysRemainValidForADay() async throws {
        let keys = try await keys()
        documents.answer.update { $0 = .failure(.noAnswer(reason: "connection refused")) }
        identity.time.advance(by: FetchedTokenKeys.freshness)
        await keys.refresh()?.value
        #expect(keys.problem == nil)
        #expect(documents.fetches.value == 2)
        #expect(keys.refresh() == nil)
        identity.time.advance(by: FetchedTokenKeys.pause)
        await keys.refresh()?.value
        #expect(documents.fetches.value == 3)
        identity.time.advance(
            by: FetchedTokenKeys.longestLife - FetchedTokenKeys.freshness
                - FetchedTokenKeys.pause - .seconds(1))
        _ = try keys.content()
        identity.time.advance(by: .seconds(1))
        #expect(throws: SignInRefusal.self) { _ = try keys.content() }
        #expect(keys.problem?.description.contains(Self.url) == true)
        #expect(keys.problem?.description.contains("connection refused") == true)
        publish(new)
        await keys.refresh()?.value
        #expect(keys.problem == nil)
        _ = try keys.content()
        #expect(identity.sentences.map { $0.prefix(8) } == ["warning:", "notice: "])
    }

    @Test("A fetched key set without usable keys is ignored and reported once")
    func fetchedKeySetWithoutUsableKeysIsIgnoredAndReportedOnce() async throws {
        let authenticator = try await authenticator()
        for text in ["{\"keys\":[]}", "<html>", ""] {
            documents.answer.update { $0 = .success(Array(text.utf8)) }
            identity.time.advance(by: FetchedTokenKeys.pause)
            #expect(await authenticator.answer(try bearer(new)) == "401")
            #expect(await authenticator.answer(try bearer(old)) == "alice")
        }
        #expect(documents.fetches.value == 4)
        #expect(identity.sentences.count == 1)
    }

    @Test("If the keys cannot be fetched at startup, the server fails to start")
    func ifTheKeysCannotBeFetchedAtStartupTheServerFailsToStart() async throws {
        let problem = DocumentError.refused(status: 302)
        documents.answer.update { $0 = .failure(problem) }
        await #expect(throws: IdentityError.keySet(place: Self.url, .document(problem))) {
            _ = try await authenticator()
        }
    }

    @Test("A key set file is read again when it changes")
    func keySetFileIsReadAgainWhenItChanges() async throws {
        let path = try identity.folder.write(
            TestIssuer.keySet(old.published()), to: "keys.json", mode: 0o644)
        let authenticator = try await identity.authenticator(Self.settings(.file(path)))
        #expect(await authenticator.answer(try bearer(old)) == "alice")
        try identity.folder.write(TestIssuer.keySet(new.published()), to: "keys.json", mode: 0o644)
        for _ in 0..<3 {
            identity.time.advance(by: .seconds(1))
            await authenticator.refresh()
        }
        #expect(await authenticator.answer(try bearer(old)) == "401")
        #expect(await authenticator.answer(try bearer(new)) == "alice")
        #expect(documents.fetches.value == 0)
    }
}
