import CampaignCore
import Foundation
import SQLiteDriver
import Storage
import TestSupport
import Testing

@testable import App

@Suite(.bounded) struct PayloadRevocationTests {
    private static let start = Date(timeIntervalSince1970: 1_796_112_000)
    private static let run = RunID(checked: "20261201T080000Z-abcdef")

    private let folder: TemporaryFolder
    private let store: SQLiteStore

    init() throws {
        folder = try TemporaryFolder()
        store = try SQLiteStore.open(at: folder.file("store.sqlite"))
    }

    /// Stores a finished run; returns the payload of each language.
    ///
    /// - Parameter people: each person's language by name; nil means the default language.
    private func send(
        to people: KeyValuePairs<String, String?>
    ) async throws -> [LanguageTag?: NotificationID] {
        var generator = SeededGenerator(seed: 7)
        try await store.begin(.sample())
        var ids: [LanguageTag?: NotificationID] = [:]
        for (name, tag) in people {
            let language = tag.flatMap { LanguageTag($0) }
            if ids[language] == nil {
                let id = NotificationID.random(using: &generator)
                ids[language] = id
                try await store.store(
                    NewNotification(
                        id: id, language: language, type: nil, texts: Texts(message: "Hi"),
                        content: .text("All about it.", mediaType: "text/plain")), of: Self.run)
            }
            try await store.append(
                [StagedRecipient(username: Username(checked: name), language: language)],
                to: Self.run)
        }
        try await store.finishStaging(
            Self.run, counts: AudienceCounts(named: people.count, final: people.count))
        try await store.setState(.finished, reason: nil, of: Self.run, at: Self.start)
        return ids
    }

    private func states() async throws -> [Bool] {
        try await store.overviews(run: nil, after: nil, limit: 9).map { $0.revoked != nil }
    }

    @Test("Revoking one language revokes all languages of the run, with a warning")
    func revokingOneLanguageRevokesAllLanguagesOfTheRunWithAWarning() async throws {
        let ids = try await send(to: ["alice": "de", "bob": nil, "carol": nil])
        let german = try #require(ids[LanguageTag("de")])
        let revocation = try await PayloadRevocation(of: [german], run: nil, in: store)
        #expect(
            try await revocation.warnings(in: store) == [
                "Run \(Self.run) of campaign spring: 3 people will no longer be able to fetch its payloads, in any language."
            ])
        #expect(try await states() == [false, false])
        var said: [String] = []
        try await revocation.revoke(in: store) { said.append($0) }
        #expect(said == ["The payloads of run \(Self.run) are revoked."])
        #expect(try await states() == [true, true])
    }

    @Test("Several languages of a run are confirmed and revoked together")
    func severalLanguagesOfARunAreConfirmedAndRevokedTogether() async throws {
        let ids = try await send(to: ["alice": "de", "bob": nil, "carol": nil])
        let revocation = try await PayloadRevocation(
            of: Array(ids.values), run: Self.run, in: store)
        #expect(
            try await revocation.warnings(in: store) == [
                "Run \(Self.run) of campaign spring: 3 people will no longer be able to fetch its payloads."
            ])
        var said: [String] = []
        try await revocation.revoke(in: store) { said.append($0) }
        #expect(said == ["The payloads of run \(Self.run) are revoked."])
    }

    @Test("A payload for only one person is revoked without confirmation")
    func payloadForOnlyOnePersonIsRevokedWithoutConfirmation() async throws {
        let ids = try await send(to: ["alice": nil])
        let revocation = try await PayloadRevocation(
            of: Array(ids.values), run: nil, in: store)
        #expect(try await revocation.warnings(in: store).isEmpty)
        try await revocation.revoke(in: store) { _ in }
        #expect(try await states() == [true])
    }
}
