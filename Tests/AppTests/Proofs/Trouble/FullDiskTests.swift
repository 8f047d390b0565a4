import CampaignCore
import Delivery
import Files
import Foundation
import GRDB
import LocalHub
import SQLiteDriver
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

    @Test("A full disk ends the run, and running it again loses nobody")
    func fullDiskEndsTheRunAndRunningItAgainLosesNobody() async throws {
        let people = Array(Self.people.prefix(300))
        var bench = try RunnerBench(people: people)
        bench.delivery = DeliveryPolicy(rate: nil, concurrency: 8)
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

    @Test("A file size limit is explained, and the exit code is 75")
    func fileSizeLimitIsExplainedAndTheExitCodeIs75() async throws {
        let workspace = try Workspace([
            "notice.yaml": Campaigns.secure(
                to: Self.people, delivery: ["rate: 200/s", "concurrency: 8"])
        ])
        try await HubFixture.run(people: [], platforms: [], fault: Self.closedHub) { address, _ in
            try await Binary.run(
                ["run", "notice.yaml"], in: workspace, environment: address.environment, status: 4)
        }
        // After that, everything is in the store's own file, and its log starts from the beginning.
        let store = workspace.file(".hubsend/store.sqlite")
        let size = try #require(
            FileManager.default.attributesOfItem(atPath: store)[.size] as? Int)
        try await HubFixture.run(people: Self.people, platforms: [.apns]) { address, hub in
            // The log can grow to 64 KB more than the size of the file, but recording everything
            // takes about 400 KB. No special rights are needed to limit file sizes.
            let script = """
                ulimit -f \(size / 1_024 + 1_024 + 64); exec '\(Binary.path)' run notice.yaml
                """
            let limited = try await Binary.start(
                ["-c", script], of: "/bin/bash", in: workspace, environment: address.environment
            ).end(75)
            #expect(limited.complaints.contains("run the same command again"))
            #expect(limited.complaints.contains("store.sqlite"))
            #expect(limited.complaints.contains("ulimit -f unlimited"))
            #expect((1..<Self.people.count).contains(hub.counts.sends))

            try await Binary.run(
                ["run", "notice.yaml"], in: workspace, environment: address.environment, status: 0)
            let rows = try workspace.outcomeRows(of: "notice")
            #expect(rows.map(\.recipient) == Self.people)
            #expect(rows.allSatisfy { $0.outcome == "accepted" })
            #expect(hub.counts.sends == Self.people.count)
        }
    }

    /// The disk has 16 MiB and is full from the hundredth push until the run has ended.
    @Test("A disk that fills up does not lose any of the hub's responses")
    func diskThatFillsUpDoesNotLoseAnyOfTheHubsResponses() async throws {
        let workspace = try Workspace([
            "notice.yaml": Campaigns.secure(
                to: Self.people, delivery: ["rate: 200/s", "concurrency: 8"])
        ])
        // The run is staged first, because the log of a new run would have room for all outcomes.
        let (full, filled) = (workspace.file("full"), workspace.file("filled"))
        let script = """
            mkdir .hubsend && mkfifo full filled || exit 9
            mount -t tmpfs -o size=16m,mode=0700 tmpfs .hubsend || exit 9
            HUBSEND_HUB_CONNECTION_STRING="$CLOSED" '\(Binary.path)' run notice.yaml; echo "staged $?"
            (read -r line <full; cat /dev/zero >.hubsend/filler; echo >filled) 2>/dev/null &
            '\(Binary.path)' run notice.yaml; echo "first $?"
            rm .hubsend/filler
            '\(Binary.path)' run notice.yaml; echo "second $?"
            """
        try await HubFixture.run(
            people: Self.people, platforms: [.apns],
            fault: { send in
                guard send.ordinal == 100 else { return nil }
                // Each end of a pipe waits for the other to be opened.
                #expect(throws: Never.self) {
                    try OpenFile(full, for: .streaming).write("now\n".utf8)
                    _ = try FileHandle(forReadingFrom: URL(filePath: filled)).readToEnd()
                }
                return nil
            }
        ) { address, hub in
            let key = "HUBSEND_HUB_CONNECTION_STRING"
            let open = address.environment[key] ?? ""
            let closed = open.replacing(/SharedAccessKey=..../, with: "SharedAccessKey=AAAA")
            let result = try await Binary.start(
                ["-m", "sh", "-c", script], of: "/usr/bin/unshare", in: workspace,
                environment: address.environment.merging(["CLOSED": closed]) { $1 }
            ).result()
            guard result.status == 0 else {
                try Test.cancel("This system does not let the test mount a disk of its own.")
            }
            #expect(result.output.contains("staged 4\n"), "\(result.complaints)")
            #expect(result.output.contains("first 75\n"), "\(result.complaints)")
            #expect(result.output.contains("second 0\n"), "\(result.complaints)")
            #expect(result.complaints.contains("the disk is full"))
            #expect(hub.counts.sends == Self.people.count)
        }
    }
}
