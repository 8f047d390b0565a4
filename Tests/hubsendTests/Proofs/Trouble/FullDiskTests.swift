import CampaignCore
import Delivery
import Foundation
import GRDB
import LocalHub
import SQLiteStorage
import Storage
import TestSupport
import Testing

/// A disk that is full when outcomes are recorded.
@Suite(.bounded) struct FullDiskTests {
    private static let people = Campaigns.people(400)

    /// Refuses everything until it is opened.
    private static let closedHub: @Sendable (SendRequestSummary) -> LocalHubFault? = { _ in
        .answer(status: 401)
    }

    @Test
    func aFullDiskEndsTheRunAndARerunWithRoomLosesNobody() async throws {
        let people = Array(Self.people.prefix(300))
        var bench = try RoomBench(people: people)
        bench.delivery = DeliveryPolicy(rate: nil, concurrency: 8)
        // Staged, with nothing sent.
        let staged = try await HubFixture.run(
            people: [], platforms: [], fault: Self.closedHub
        ) { address, _ in try await bench.run(at: address) }
        guard case .paused(.credentials, _) = staged.result else {
            Issue.record("\(staged.result)")
            return
        }
        let pages = try await DatabaseQueue(path: bench.storePath).read { db in
            try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0
        }
        try await HubFixture.run(people: people, platforms: [.apns, .fcm]) { address, hub in
            bench.options.maximumPages = pages + 3
            let error = await #expect(throws: StoreError.self) {
                try await bench.run(at: address)
            }
            #expect(error == .diskFull(.store(path: bench.storePath)))
            #expect(error?.disposition == .tryAgain)
            #expect(hub.counts.sends > 0)

            let remains = try StoreRemains(in: bench.path, of: "spring")
            #expect(remains.stage == .sending)
            bench.options.maximumPages = nil
            let summary = try await bench.run(at: address)
            #expect(summary.result == .finished)
            #expect(summary.outcomes == OutcomeCounts([.accepted: 2 * people.count]))
            let id = try #require(await bench.rows(of: summary.record.id).first).notification.text
            for person in people {
                for platform in [LocalHubPlatform.apns, .fcm] {
                    let pushes = await hub.received(by: person).filter { $0.platform == platform }
                    let wasInDoubt = remains.inDoubt.contains("\(person)/\(platform.campaignName)")
                    #expect(!pushes.isEmpty, "\(person) is lost")
                    #expect(pushes.count == 1 || wasInDoubt, "\(person) got a repeat")
                    #expect(pushes.allSatisfy { $0.text.contains(id) }, "\(person) got two ids")
                }
            }
        }
    }

    @Test
    func aFileThatMayNotGrowIsASentenceAndCodeSeventyFive() async throws {
        let workspace = try Workspace([
            "notice.yaml": Campaigns.secure(
                to: Self.people, delivery: ["rate: 200/s", "concurrency: 8"])
        ])
        try await HubFixture.run(people: [], platforms: [], fault: Self.closedHub) { address, _ in
            let staged = try await Binary.run(
                ["run", "notice.yaml"], in: workspace, environment: address.environment)
            #expect(staged.status == 4, "\(staged.complaints)")
        }
        // Then everything is in the store's own file, and its log starts anew.
        let store = workspace.file(".hubsend/store.sqlite")
        let size = try #require(
            FileManager.default.attributesOfItem(atPath: store)[.size] as? Int)
        try await HubFixture.run(people: Self.people, platforms: [.apns]) { address, hub in
            // Beginning and claiming pages writes about 100 KB, recording everything about 400 KB;
            // the limit lies between. Limiting file sizes needs no rights. Its signal is ignored,
            // as a service's may be.
            let script = """
                trap '' XFSZ; ulimit -f \(size / 1_024 + 96); exec '\(Binary.path)' run notice.yaml
                """
            let limited = try await Binary.start(
                ["-c", script], of: "/bin/bash", in: workspace, environment: address.environment
            ).result()
            #expect(limited.status == 75, "\(limited.complaints)")
            #expect(limited.complaints.contains("run the same command again"))
            #expect(limited.complaints.contains("store.sqlite"))
            #expect(hub.counts.sends > 0)

            let remains = try StoreRemains(in: workspace.file(".hubsend"), of: "notice")
            let rerun = try await Binary.run(
                ["run", "notice.yaml"], in: workspace, environment: address.environment)
            #expect(rerun.status == 0, "\(rerun.complaints)")
            let rows = try workspace.outcomeRows(of: "notice")
            #expect(rows.map(\.recipient) == Self.people)
            #expect(rows.allSatisfy { $0.outcome == "accepted" })
            for row in rows {
                let pushes = await hub.received(by: row.recipient)
                #expect(!pushes.isEmpty, "\(row.recipient) is lost")
                #expect(
                    pushes.count == 1 || remains.inDoubt.contains(row.target),
                    "\(row.recipient) got a repeat")
            }
        }
    }
}
