import CampaignCore
import Foundation
import SQLiteDriver
import Storage
import TestSupport
import Testing

@testable import App

@Suite(.bounded) struct DataExportTests {
    private static let start = Date(timeIntervalSince1970: 1_796_112_000)
    private let folder: TemporaryFolder
    private let store: SQLiteStore
    private let alice = Username(checked: "alice")

    init() throws {
        folder = try TemporaryFolder()
        store = try SQLiteStore.open(at: folder.file("store.sqlite"))
    }

    /// Stages a run for two people, with either a payload for each or one payload for both.
    private func stage(_ suffix: String, isPersonal: Bool) async throws {
        let record = RunRecord.sample(suffix, campaign: "c-\(suffix)", kind: .secure)
        let run = record.id
        try await store.begin(record)
        if !isPersonal {
            try await store.store(notification("what all may know"), of: run)
        }
        try await store.append(
            ["alice", "bob"].map { name in
                StagedRecipient(
                    username: Username(checked: name),
                    notification: isPersonal ? notification("only for \(name)") : nil)
            }, to: run)
        try await store.finishStaging(run, counts: AudienceCounts(named: 2, final: 2))
    }

    private func notification(_ text: String) -> NewNotification {
        var generator = SystemRandomNumberGenerator()
        return NewNotification(
            id: .random(using: &generator), type: nil, content: .text(text, mediaType: "text/plain")
        )
    }

    private func exported(
        _ user: Username, shown: (NotificationID) throws -> Void = { _ in }
    ) async throws -> String {
        var bytes: [UInt8] = []
        try await DataExport(of: user, in: store)
            .write(at: Self.start, shown: shown) { bytes += $0 }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test("An export contains only the person's own data")
    func exportContainsOnlyThePersonsOwnData() async throws {
        try await stage("aaaaaa", isPersonal: true)
        try await stage("bbbbbb", isPersonal: false)
        try await store.issue("17-4", to: alice, handle: nil, at: Self.start)
        try await store.issue("17-5", to: Username(checked: "bob"), handle: nil, at: Self.start)
        var shown = 0
        let text = try await exported(alice) { _ in shown += 1 }
        #expect(text.contains("only for alice"))
        #expect(text.contains("c-bbbbbb"))
        #expect(text.contains("17-4"))
        #expect(!text.contains("bob"))
        #expect(!text.contains("17-5"))
        #expect(!text.contains("what all may know"))
        #expect(shown == 1)
        let object = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
        #expect((object?["runs"] as? [Any])?.count == 2)
    }

    @Test("The export of an unknown person is empty")
    func exportOfAnUnknownPersonIsEmpty() async throws {
        try await stage("aaaaaa", isPersonal: true)
        let text = try await exported(Username(checked: "zoe"))
        #expect(text.hasSuffix(#""registrations":[],"runs":[]}"# + "\n"))
    }

    /// If the audit log cannot record a payload, it is not shown.
    @Test("A payload is not shown if the audit log cannot record this")
    func payloadIsNotShownIfTheAuditLogCannotRecordThis() async throws {
        try await stage("aaaaaa", isPersonal: true)
        await #expect(throws: CancellationError.self) {
            try await exported(alice) { _ in throw CancellationError() }
        }
    }
}
