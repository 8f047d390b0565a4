import CampaignCore
import Foundation
import Logging
import SQLiteDriver
import Storage
import TestSupport
import Testing

@testable import App
@testable import AppBackend

/// What remains of a person in everything that hubsend wrote, byte by byte.
@Suite(.bounded) struct ForgettingProofTests {
    private static let now = Date(timeIntervalSince1970: 1_796_112_000)
    private static let person = PersonPlace.person

    private let place: PersonPlace

    init() throws { place = try PersonPlace() }

    /// Stores a run with an error of the hub that names the person.
    private func refuse(in store: SQLiteStore) async throws {
        let record = RunRecord.sample(kind: .alert)
        let run = record.id
        let people = [Self.person.text, "alice"]
        try await store.stage(people, of: record)
        try await store.record(
            people.enumerated().map { place, name in
                DeliveryRecord(
                    number: place + 1, platform: .apns,
                    state: .ended(place == 0 ? .rejected : .accepted), attempts: 1,
                    isUncertain: false,
                    detail: place == 0 ? "HTTP 400: no device of \(Self.person.tag)" : "",
                    hubMessage: "m-\(name)", recordedAt: Self.now)
            }, requests: 2, of: run)
        try await store.setState(.finished, reason: nil, of: run, at: Self.now + 60)
    }

    /// Registers a device of the person, which fetches and reads their notifications.
    private func fetch(in store: SQLiteStore) async throws {
        try await store.issue(
            "17-4", to: Self.person, handle: PersonPlace.digest, at: Self.now)
        _ = try await store.use(
            "17-4", of: Self.person, platform: .apns, handle: PersonPlace.digest, at: Self.now)
        let theirs = try await store.overviews(run: nil, after: nil, limit: 100)
            .filter { $0.recipient == Self.person }
        #expect(theirs.count == 1)
        for overview in theirs {
            let received = try #require(
                try await store.notificationWithoutContent(overview.id, for: Self.person))
            try await store.record(
                [.fetched, .read].map {
                    Receipt(place: received.place, kind: $0, time: Self.now)
                })
        }
    }

    private func writeReports(of store: SQLiteStore) async throws -> Int {
        let folder = try place.settings().reports
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

    /// A report is as if it were written after the person was forgotten.
    private func expectReports(areThoseOf store: SQLiteStore) async throws {
        for run in try await store.runs(campaign: nil, limit: 10) {
            var bytes: [UInt8] = []
            try await ReportFile(store: store, record: run)
                .render(.csv, style: .plain, width: nil) { bytes += $0 }
            let name = ReportFormat.csv.fileName(run: run.id, campaign: run.campaign)
            let path = try place.settings().reports + "/" + name
            #expect(FileManager.default.contents(atPath: path) == Data(bytes))
        }
    }

    private func writeAudit() throws {
        let path = try place.settings().audit
        let log = try AuditLog(
            path: path, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        for (user, claimed) in [(Self.person, nil), (nil, Self.person)] as [(Username?, Username?)]
        {
            log.note(
                AuditEntry(
                    time: Self.now, user: user, claimed: claimed, action: .fetch, what: "17-4",
                    address: claimed == nil ? PersonPlace.address : nil, outcome: "ok"))
        }
        try log.flush()
        try FileManager.default.copyItem(atPath: path, toPath: path + ".1")
    }

    @Test func noByteOfAForgottenPersonIsLeft() async throws {
        let log = LogLines()
        _ = try await place.send(logger: log.shown)
        // As `hubsend serve` has it open.
        let store = try SQLiteStore.open(at: try #require(try place.settings().store.file))
        try await refuse(in: store)
        try await fetch(in: store)
        #expect(try await writeReports(of: store) == 3)
        try writeAudit()
        let before = try place.traced()
        #expect(before.count { $0.hasPrefix("reports/") } == 12)
        #expect(before.contains("audit.jsonl") && before.contains("audit.jsonl.1"))
        #expect(before.contains { $0.hasPrefix("store.sqlite") })

        let result = try await PersonRemoval(of: Self.person, try place.settings())
            .run(atHub: nil) { try AuditRemoval.forget(Self.person, in: $0) }

        #expect(result.fault.map { "\($0)" } == nil)
        #expect(try place.traced() == [])
        #expect(
            result.sentences.suffix(2) == [
                "These files still name them:", "  \(place.folder.file("people.csv"))",
            ])
        let line = try #require(
            result.sentences.firstIndex(of: "These files were written anew without the name:"))
        #expect(result.sentences[line...].count == 1 + 2 + 12 + 2)
        try await store.verify(RunID(checked: "20261201T080000Z-abcdef"))
        try await expectReports(areThoseOf: store)
        try store.close()
        #expect(try place.traced() == [])
        #expect(log.all.filter { PersonPlace.isTraced(Data($0.utf8)) } == [])
    }
}

/// What the most verbose log says about a run.
@Suite(.bounded) struct RunLogTests {
    @Test func itSaysWhichRunItIsAboutAndNothingOfPeopleAndKeys() async throws {
        let place = try PersonPlace()
        let log = LogLines()
        let key = try await place.send(refusesPerson: true, logger: log.shown)
        let lines = log.all
        for message in [
            "Staging a run", "Staged a run", "The hub did not take a message",
            "The hub took a message", "The work on a run ended",
        ] {
            let about = lines.filter { $0.contains(#""message":"\#(message)""#) }
            #expect(!about.isEmpty, "\(message)")
            #expect(about.allSatisfy { $0.contains(#""run":"20"#) }, "\(message)")
        }
        #expect(lines.filter { PersonPlace.isTraced(Data($0.utf8)) } == [])
        for secret in [key, "alice", "Main-1", "Hello", "sig="] {
            #expect(lines.filter { $0.contains(secret) } == [], "\(secret)")
        }
    }
}
