import LocalHub
import TestSupport
import Testing

/// A hub whose answers are lost now and then, and a run that does not send again.
@Suite(.bounded) struct LostAnswersTests {
    private static let people = Campaigns.people(700)

    /// Answers come by the hundreds at once, and more of each hundred are lost than may be lost in a row.
    @Test func sevenInAHundredPauseNoRun() async throws {
        let workspace = try Workspace([
            "news.yaml": """
            campaign: news
            kind: alert
            platforms: [apns]
            audience: { usernames: [\(Self.people.joined(separator: ", "))] }
            payload: { message: There is news. }
            delivery: { rate: unlimited, concurrency: 4 }

            """
        ])
        try await HubFixture.run(
            fault: { $0.ordinal.isMultiple(of: 14) ? .answer(status: 500) : nil }
        ) { environment, _ in
            let run = try await Binary.run(
                ["run", "--json", "news.yaml"], in: workspace, environment: environment)
            #expect(run.status == 3, "\(run.complaints)")
            let rows = try workspace.outcomeRows(of: "news")
            #expect(rows.count { $0.outcome == "unknown" } == Self.people.count / 14)
            #expect(
                rows.count { $0.outcome == "accepted" }
                    == Self.people.count - Self.people.count / 14)
        }
    }
}
