import CampaignCore
import Foundation
import Logging
import SQLiteDriver
import Storage
import TestSupport
import Testing

@testable import App
@testable import AppBackend

/// Searches everything that hubsend wrote for traces of a person, byte by byte.
@Suite(.bounded) struct ForgettingProofTests {
    private static let now = Date(timeIntervalSince1970: 1_796_112_000)
    private static let person = PersonFixture.person

    private let fixture: PersonFixture

    init() throws { fixture = try PersonFixture() }

    /// Stores a run with an error message from the hub that names the person.
    private func refuse(in store: SQLiteStore) async throws {
        let record = RunRecord.sample(kind: .alert)
        let run = record.id
        let people = [Self.person.text, "alice"]
        try await store.stage(people, of: record)
        try await store.record(
            people.enumerated().map { index, name in
                DeliveryRecord(
                    number: index + 1, platform: .apns,
                    state: .ended(index == 0 ? .rejected : .accepted), attempts: 1,
                    isUncertain: false,
                    detail: index == 0 ? "HTTP 400: no device of \(Self.person.tag)" : "",
                    hubMessage: "m-\(name)", recordedAt: Self.now)
            }, requests: 2, of: run)
        try await store.setState(.finished, reason: nil, of: run, at: Self.now + 60)
    }

    /// Registers a device of the person; the device fetches and reads their notifications.
    private func fetch(in store: SQLiteStore) async throws {
        try await store.issue(
            "17-4", to: Self.person, handle: PersonFixture.digest, at: Self.now)
        _ = try await store.use(
            "17-4", of: Self.person, platform: .apns, handle: PersonFixture.digest, at: Self.now)
        let theirs = try await store.overviews(run: nil, after: nil, limit: 100)
            .filter { $0.recipient == Self.person }
        #expect(theirs.count == 1)
        for overview in theirs {
            let received = try #require(
                try await store.notification(overview.id, for: Self.person, hasContent: false))
            try await store.record(
                [.fetched, .read].map {
                    Receipt(place: received.place, kind: $0, time: Self.now)
                })
        }
    }

    private func writeReports(of store: SQLiteStore) async throws -> Int {
        let folder = try fixture.settings().reports
        let runs = try await store.runs(campaign: nil, limit: 10)
        for run in runs {
            for format in ReportFormat.allCases {
                let name = format.fileName(run: run.id, campaign: run.campaign)
                try await ReportFile(store: store, record: run)
                    .write(format, to: folder + "/" + name)
            }
        }
        if let run = runs.first {
            try await ReportFile(store: store, record: run).write(.html, to: folder + "/page.html")
        }
        try await PersonReport(store: store, user: Self.person)
            .write(.jsonl, to: folder + "/below/theirs.jsonl", makesFolder: true)
        return runs.count
    }

    /// Expects each report to be the same as one written after the person was forgotten.
    private func expectReports(areThoseOf store: SQLiteStore) async throws {
        for run in try await store.runs(campaign: nil, limit: 10) {
            var bytes: [UInt8] = []
            try await ReportFile(store: store, record: run)
                .render(.csv, style: .plain, width: nil) { bytes += $0 }
            let name = ReportFormat.csv.fileName(run: run.id, campaign: run.campaign)
            let path = try fixture.settings().reports + "/" + name
            #expect(FileManager.default.contents(atPath: path) == Data(bytes))
        }
    }

    private func writeAudit() throws {
        let path = try fixture.settings().audit
        let log = try AuditLog(
            path: path, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        for (user, claimed) in [(Self.person, nil), (nil, Self.person)] as [(Username?, Username?)]
        {
            log.note(
                AuditEntry(
                    time: Self.now, user: user, claimed: claimed, action: .fetch, what: "17-4",
                    address: claimed == nil ? PersonFixture.address : nil, outcome: "ok"))
        }
        try log.flush()
        try FileManager.default.copyItem(atPath: path, toPath: path + ".1")
    }

    @Test("No trace of a forgotten person is left")
    func noTraceOfAForgottenPersonIsLeft() async throws {
        let log = LogLines()
        _ = try await fixture.send(logger: log.shown)
        // `hubsend serve` keeps the store open in the same way.
        let store = try SQLiteStore.open(at: try #require(try fixture.settings().store.file))
        try await refuse(in: store)
        try await fetch(in: store)
        #expect(try await writeReports(of: store) == 3)
        try writeAudit()
        let before = try fixture.traced()
        #expect(before.count { $0.hasPrefix("reports/") } == 12)
        #expect(before.contains("audit.jsonl") && before.contains("audit.jsonl.1"))
        #expect(before.contains { $0.hasPrefix("store.sqlite") })

        let result = try await PersonRemoval(of: Self.person, try fixture.settings())
            .run(atHub: nil) { try AuditRemoval.forget(Self.person, in: $0) }

        #expect(result.error.map { "\($0)" } == nil)
        #expect(try fixture.traced() == [])
        #expect(
            result.sentences.suffix(2) == [
                "These files still name them:", "  \(fixture.folder.file("people.csv"))",
            ])
        let line = try #require(
            result.sentences.firstIndex(of: "These files were rewritten without the name:"))
        #expect(result.sentences[line...].count == 1 + 2 + 12 + 2)
        try await store.verify(RunID(checked: "20261201T080000Z-abcdef"))
        try await expectReports(areThoseOf: store)
        try store.close()
        #expect(try fixture.traced() == [])
        #expect(log.all.filter { PersonFixture.isTraced(Data($0.utf8)) } == [])
    }
}

/// The files include the most verbose log of a run.
@Suite(.bounded) struct RunLogTests {
    @Test("The log names the run, but no people and no keys")
    func logNamesTheRunButNoPeopleAndNoKeys() async throws {
        let fixture = try PersonFixture()
        let log = LogLines()
        let key = try await fixture.send(refusesPerson: true, logger: log.shown)
        let lines = log.all
        for message in [
            "Staging a run", "Staged a run", "The hub did not accept a message",
            "The hub accepted a message", "The work on a run ended",
        ] {
            let about = lines.filter { $0.contains(#""message":"\#(message)""#) }
            #expect(!about.isEmpty, "\(message)")
            #expect(about.allSatisfy { $0.contains(#""run":"20"#) }, "\(message)")
        }
        #expect(lines.filter { PersonFixture.isTraced(Data($0.utf8)) } == [])
        for secret in [key, "alice", "Main-1", "Hello", "sig="] {
            #expect(lines.filter { $0.contains(secret) } == [], "\(secret)")
        }
    }
}
