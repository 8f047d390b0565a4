import Foundation
import LocalHub
import TestSupport
import Testing

/// Tests the claims that are uncertain after a kill if nobody may get two pushes.
@Suite(.bounded) struct HeldClaimsTests {
    private static let people = Campaigns.people(150)
    private static let concurrency = 16

    private func workspace(sharing: Int) throws -> Workspace {
        try Workspace([
            "news.yaml": """
            campaign: news
            kind: alert
            platforms: [apns]
            audience: { usernames: [\(Self.people.joined(separator: ", "))] }
            payload: { message: There is news. }
            delivery: { rate: unlimited, concurrency: \(Self.concurrency), recipients_per_push: \(sharing) }

            """
        ])
    }

    /// The run is killed when the maximum number of requests is in flight, some of them for several
    /// people.
    @Test(
        "After a kill, at most fifty pushes more than the concurrency are in doubt",
        arguments: [(sharing: 1, requests: 16), (sharing: 20, requests: 3)])
    func afterAKillAtMostFiftyPushesMoreThanTheConcurrencyAreInDoubt(sharing: Int, requests: Int)
        async throws
    {
        let workspace = try workspace(sharing: sharing)
        let reached = Milestone()
        try await HubFixture.run(
            people: Self.people,
            fault: { send in
                // The hub accepts requests but does not answer any until the run has been killed.
                if reached.isReached, send.ordinal > requests { return nil }
                if send.ordinal == requests { reached.reach() }
                return .hang(takesEffect: true)
            }
        ) { environment, hub in
            let run = try await Binary.start(
                ["run", "news.yaml"], in: workspace, environment: environment)
            try await run.wait(for: reached)
            run.signal(SIGKILL)
            _ = try await run.result()
            let remains = try StoreRemains(in: workspace.file(".hubsend"), of: "news")
            #expect(remains.stage == .sending)
            #expect(remains.inDoubt.count <= Self.concurrency + 50)

            try await Binary.run(
                ["run", "news.yaml"], in: workspace, environment: environment, status: 3)
            let outcomes = try workspace.outcomeRows(of: "news").map(\.outcome)
            #expect(outcomes.count { $0 == "unknown" } == remains.inDoubt.count)
            #expect(
                outcomes.count { $0 == "accepted" } == Self.people.count - remains.inDoubt.count)
            for person in Self.people { #expect(await hub.received(by: person).count <= 1) }
        }
    }
}
