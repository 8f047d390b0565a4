import Foundation
import LocalHub
import TestSupport
import Testing

extension HeavyTests {
    @Suite struct SharedStoreTests {
        private static let people = Campaigns.people(100)
        private static let campaigns = ["first", "second"]

        @Test("Runs of different campaigns and readers can share a store")
        func runsOfDifferentCampaignsAndReadersCanShareAStore() async throws {
            let workspace = try Workspace()
            for name in Self.campaigns {
                try workspace.write(
                    Campaigns.secure(
                        name, to: Self.people, delivery: ["rate: unlimited", "concurrency: 16"],
                        platforms: "apns, fcm"), to: "\(name).yaml")
            }
            let (looks, look) = AsyncStream.makeStream(of: Void.self)
            let left = Counter(Self.campaigns.count)
            try await HubFixture.run(
                people: Self.people, platforms: [.apns, .fcm],
                fault: { send in
                    if send.ordinal % 150 == 1 { look.yield() }
                    return nil
                }
            ) { address, hub in
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for name in Self.campaigns {
                        group.addTask {
                            defer {
                                left.add(-1)
                                if left.value == 0 { look.finish() }
                            }
                            let run = try await Binary.start(
                                ["run", "\(name).yaml"], in: workspace,
                                environment: address.environment)
                            let result = try await run.end(0)
                            #expect(result.complaints.isEmpty)
                        }
                    }
                    group.addTask {
                        for await _ in looks {
                            for arguments in [["runs"], ["report", "--output", "-"]] {
                                let look = try await Binary.start(
                                    arguments, in: workspace, environment: address.environment
                                ).end(0)
                                #expect(
                                    Self.campaigns.contains { look.output.contains($0) }
                                        || look.output.hasPrefix("run,campaign,recipient,"))
                            }
                        }
                    }
                    try await group.waitForAll()
                }
                #expect(hub.counts.sends == 4 * Self.people.count)
                for name in Self.campaigns {
                    let rows = try workspace.outcomeRows(of: name)
                    #expect(rows.count == 2 * Self.people.count)
                    #expect(rows.allSatisfy { $0.outcome == "accepted" })
                }
            }
        }
    }
}
