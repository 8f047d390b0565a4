import CampaignCore
import Delivery
import Foundation
import LocalHub
import ProcessControl
import TestSupport
import Testing

@testable import App

/// Tests stores that were damaged between two calls of the program.
@Suite(.bounded) struct DamagedStoreTests {
    private static let mutations = 45

    /// After any damage, nobody gets a second push, and no wrong result is reported as correct.
    @Test(
        "A damaged store sends nothing twice and is never reported as a bug",
        arguments: HalfDoneRun.End.allCases)
    func damagedStoreSendsNothingTwiceAndIsNeverReportedAsABug(end: HalfDoneRun.End) async throws {
        let run = try await HalfDoneRun(end)
        let whole = try await run.run(on: run.files)
        #expect(judge(whole, of: run, "nothing was damaged"))
        var random = SeededGenerator(seed: end == .killed ? 1 : end == .closed ? 2 : 3)
        var refused = 0
        for number in 0..<Self.mutations {
            let mutation = StoreMutation(of: run.files, number: number, using: &random)
            let continuation = try await run.run(on: mutation.files)
            if !judge(continuation, of: run, mutation.description) { refused += 1 }
        }
        // A run is not refused because of damage to unused parts, and a closed store has no log
        // that could be lost.
        #expect(refused > Self.mutations / 10)
        #expect(refused < Self.mutations)
    }

    /// Checks a damaged store after a run; returns whether the run was finished.
    private func judge(
        _ continuation: HalfDoneRun.Continuation, of run: HalfDoneRun, _ what: String
    ) -> Bool {
        for (target, body) in continuation.sent {
            #expect(!run.accepted.contains(target), "\(what): \(target) was sent to again")
            guard let id = run.ids[target] else {
                Issue.record("\(what): \(target) is nobody of the audience")
                continue
            }
            #expect(body.contains(id), "\(what): \(target) got another id")
        }
        #expect(
            Set(continuation.sent.map(\.target)).count == continuation.sent.count,
            "\(what): somebody was sent to twice")
        switch continuation.result {
        case .failure(let error):
            let failure = Refused(for: error)
            #expect(failure.status == .configuration, "\(what): \(failure)")
            #expect(failure.sentence.contains("store.sqlite"), "\(what): \(failure)")
            return false
        case .success(let summary):
            #expect([.finished, .alreadyFinished].contains(summary.result), "\(what)")
            let found = continuation.rows.map { row in
                "\(row.recipient)/\(row.platform.rawValue) \(row.notification) \(row.outcome)"
            }
            let expected = run.ids.map { "\($0) \($1) \(Outcome.accepted)" }
            #expect(found.sorted() == expected.sorted(), "\(what)")
            #expect(
                Set(continuation.sent.map(\.target))
                    == Set(run.ids.keys).subtracting(run.accepted), "\(what)")
            return true
        }
    }

    @Test("A store that was truncated, changed or restored is refused")
    func storeThatWasTruncatedChangedOrRestoredIsRefused() async throws {
        let people = Campaigns.people(20)
        let workspace = try Workspace()
        for name in ["first", "second"] {
            try workspace.write(Campaigns.secure(name, to: people), to: "\(name).yaml")
        }
        let path = workspace.file(".hubsend/store.sqlite")
        try await HubFixture.run(people: people) { environment, hub in
            try await Binary.run(
                ["run", "first.yaml"], in: workspace, environment: environment, status: 0)
            let older = try Data(contentsOf: URL(filePath: path))
            try await Binary.run(
                ["run", "second.yaml"], in: workspace, environment: environment, status: 0)
            let newer = try Data(contentsOf: URL(filePath: path))
            var changed = newer
            let column = Data("fingerprints TEXT".utf8)
            #expect(changed.range(of: column) != nil)
            while let range = changed.range(of: column) {
                changed.replaceSubrange(range, with: Data("fingerprints BLOB".utf8))
            }
            let damaged: [(String, Data)] = [
                ("an older copy", older), ("nothing", Data()),
                ("half of it", newer.prefix(newer.count / 8_192 * 4_096)),
                ("another schema", changed),
            ]
            for (what, bytes) in damaged {
                for suffix in ["-wal", "-shm"]
                where FileManager.default.fileExists(atPath: path + suffix) {
                    try FileManager.default.removeItem(atPath: path + suffix)
                }
                try bytes.write(to: URL(filePath: path))
                let again = try await Binary.run(
                    ["run", "second.yaml"], in: workspace, environment: environment, status: 2)
                #expect(again.complaints.contains("store.sqlite"), "\(what)")
            }
            try newer.write(to: URL(filePath: path))
            try await Binary.run(
                ["run", "second.yaml"], in: workspace, environment: environment, status: 0)
            #expect(hub.counts.sends == 2 * people.count, "nobody was sent to again")
        }
    }
}
