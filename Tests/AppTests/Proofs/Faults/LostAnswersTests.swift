import LocalHub
import TestSupport
import Testing

/// Tests that a run never sends twice, even if the hub sometimes loses responses.
@Suite(.bounded) struct LostAnswersTests {
    private static let people = Campaigns.people(700)

    /// Hundreds of responses arrive at the same time.
    ///
    /// Seven in a hundred are lost, which is more than are allowed to be lost in a row.
    @Test("A run does not pause if seven percent of the responses are lost")
    func runDoesNotPauseIfSevenPercentOfTheResponsesAreLost() async throws {
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
            try await Binary.run(
                ["run", "--json", "news.yaml"], in: workspace, environment: environment, status: 3)
            let rows = try workspace.outcomeRows(of: "news")
            #expect(rows.count { $0.outcome == "unknown" } == Self.people.count / 14)
            #expect(
                rows.count { $0.outcome == "accepted" }
                    == Self.people.count - Self.people.count / 14)
        }
    }
}
