import CampaignCore
import Foundation
import TestSupport
import Testing

@testable import App

@Suite(.bounded) struct DueClockChangeTests {
    /// Calls hubsend repeatedly for a campaign that is sent daily at half past two in Berlin.
    ///
    /// - Returns: the calls that sent it, and the occurrences that were sent.
    private func sendings(
        calling calls: [String]
    ) async throws -> (calls: [String], occurrences: [String]) {
        let fixture = try DueFixture()
        try fixture.write("spring", schedule: "cron: \"30 2 * * *\"", in: "Europe/Berlin")
        var sending: [String] = []
        try await fixture.withHub { hub in
            for call in calls {
                let time = try #require(WrittenTime(call)).start
                let ends = await fixture.call(time.timeIntervalSince(DueFixture.start), at: hub)
                #expect(ends.isEmpty || ends == ["done"], "\(call)")
                if !ends.isEmpty { sending.append(call) }
            }
        }
        #expect(fixture.said.isEmpty)
        let runs = try await fixture.runs()
        #expect(runs.allSatisfy { $0.state == .finished && $0.requests == 2 })
        return (sending, runs.map(\.occurrence.text))
    }

    @Test("If the clock skips a start time, the campaign is sent once, in the next minute")
    func ifTheClockSkipsAStartTimeTheCampaignIsSentOnceInTheNext() async throws {
        // At two o'clock, 01:00 UTC, clocks go forward to three.
        let sent = try await sendings(calling: [
            "2026-03-28T12:00:00Z", "2026-03-29T00:30:00Z", "2026-03-29T00:59:00Z",
            "2026-03-29T01:00:00Z", "2026-03-29T01:01:00Z", "2026-03-29T01:30:00Z",
            "2026-03-30T00:29:00Z", "2026-03-30T00:30:00Z",
        ])
        #expect(sent.calls == ["2026-03-29T01:00:00Z", "2026-03-30T00:30:00Z"])
        #expect(sent.occurrences == sent.calls)
    }

    @Test("If the start time occurs twice, the campaign is sent only the first time")
    func ifTheStartTimeOccursTwiceTheCampaignIsSentOnlyTheFirstTime() async throws {
        // At three o'clock, 01:00 UTC, clocks go back to two.
        let sent = try await sendings(calling: [
            "2026-10-24T12:00:00Z", "2026-10-25T00:29:00Z", "2026-10-25T00:30:00Z",
            "2026-10-25T00:31:00Z", "2026-10-25T01:00:00Z", "2026-10-25T01:30:00Z",
            "2026-10-26T00:30:00Z", "2026-10-26T01:30:00Z",
        ])
        #expect(sent.calls == ["2026-10-25T00:30:00Z", "2026-10-26T01:30:00Z"])
        #expect(sent.occurrences == sent.calls)
    }
}
