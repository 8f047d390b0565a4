import CampaignCore
import Foundation
import SQLiteDriver
import Storage
import TestSupport
import Testing

@testable import App

@Suite(.bounded) struct RunReferenceTests {
    private static let start = Date(timeIntervalSince1970: 1_796_112_000)

    private let folder: TemporaryFolder
    private let store: SQLiteStore

    init() throws {
        folder = try TemporaryFolder()
        store = try SQLiteStore.open(at: folder.file("store.sqlite"))
    }

    @discardableResult
    private func keep(
        _ suffix: String, _ occurrence: Occurrence, _ state: RunState = .finished,
        kind: CampaignKind = .secure, started: Double
    ) async throws -> RunRecord {
        let run = RunRecord.sample(
            suffix, as: occurrence, state, kind: kind, started: Self.start + started)
        try await store.begin(run)
        return run
    }

    @Test("A fallback does not count as the campaign's last run")
    func fallbackDoesNotCountAsTheCampaignsLastRun() async throws {
        let parent = try await keep("aaaaaa", .once, started: 0)
        for number in 1...3 {
            try await keep(
                "bbbbb\(["a", "b", "c"][number - 1])", .fallback(of: parent.id, number: number),
                kind: .alert, started: Double(number))
        }
        #expect(try await RunReference.campaign("spring").last(in: store).id == parent.id)
        #expect(try await RunReference.last(of: nil, in: store)?.id == parent.id)
        #expect(try await RunReference.last(of: "other", in: store) == nil)
        let fallbacks = try await store.fallbacks(of: parent)
        #expect(fallbacks.map { $0.text.suffix(6) } == ["bbbbba", "bbbbbb", "bbbbbc"])
    }

    @Test("Without a reference, the store's last run is used")
    func withoutAReferenceTheStoresLastRunIsUsed() async throws {
        await #expect(throws: Refused.self) { try await RunReference.last(nil, in: store) }
        let run = try await keep("aaaaaa", .once, started: 0)
        #expect(try await RunReference.last(nil, in: store).id == run.id)
        #expect(try await RunReference.last(.campaign("spring"), in: store).id == run.id)
    }

    @Test("Revoking a campaign does not revoke its fallback")
    func revokingACampaignDoesNotRevokeItsFallback() async throws {
        let parent = try await keep("aaaaaa", .once, started: 0)
        let fallback = try await keep(
            "bbbbbb", .fallback(of: parent.id, number: 1), .paused, kind: .alert, started: 1)
        let runs = try await store.runs(campaign: "spring", limit: 9)
        #expect(runs.map(\.id) == [fallback.id, parent.id])
        #expect(try await RevocationChoice(among: runs, in: store).run == parent.id)
    }
}
