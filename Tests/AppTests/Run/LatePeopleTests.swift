import Foundation
import TestSupport
import Testing

/// People that a run does not reach in time are reported, because they were not skipped on purpose.
@Suite(.bounded) struct LatePeopleTests {
    private static let people = Campaigns.people(6)

    /// A campaign that takes six seconds to send but has only one second.
    private func workspace(delivery: [String] = [], payload: String = "") throws -> Workspace {
        let text = Campaigns.secure(to: Self.people, delivery: ["rate: 1/s"] + delivery)
        return try Workspace([
            "notice.yaml": text.replacing(
                "  text: There is news.", with: "  text: There is news.\n" + payload)
        ])
    }

    @Test("People skipped as too late are reported, and the exit code is 3")
    func peopleSkippedAsTooLateAreReportedAndTheExitCodeIs3() async throws {
        let workspace = try workspace(delivery: ["finish_within: 1s"])
        let result = try await Binary.run(["run", "notice.yaml"], in: workspace, status: 3)
        let rows = try workspace.reportRows(of: "notice")
        let late = rows.count { $0.contains(",skipped,too late: finish_within ended at ") }
        #expect(late > 0)
        #expect(late + rows.count { $0.contains(",accepted,") } == Self.people.count)
        #expect(
            result.complaints.contains(" \(late) of 6 deliveries ")
                && result.complaints.contains(" skipped as too late: `finish_within` ended at "),
            "\(result.complaints)")
        #expect(result.complaints.contains("more time (`delivery.finish_within`) or a higher"))

        let report = try await Binary.run(["report", "--format", "text"], in: workspace)
        #expect(report.output.contains("skipped as too late"))
    }

    @Test("People whose payload has expired are reported, and the exit code is 3")
    func peopleWhosePayloadHasExpiredAreReportedAndTheExitCodeIs3() async throws {
        let workspace = try workspace(payload: "  expires_after: 1s\n")
        let result = try await Binary.run(
            ["run", "--json", "notice.yaml"], in: workspace, status: 3)
        #expect(result.output.contains(#""state":"finished""#))
        #expect(
            result.complaints.contains(" skipped as expired: the payload expired at "),
            "\(result.complaints)")
    }

    @Test("People who are skipped on purpose do not count as errors")
    func peopleWhoAreSkippedOnPurposeDoNotCountAsErrors() async throws {
        let workspace = try Workspace([
            "notice.yaml": Campaigns.secure(
                delivery: ["rate: unlimited", "frequency_cap: { pushes: 1, per: 1h }"])
        ])
        for outcome in ["accepted", "skipped"] {
            let result = try await Binary.run(
                ["run", "--again", "--json", "notice.yaml"], in: workspace, status: 0)
            #expect(result.output.contains("\"\(outcome)\":2"))
            #expect(result.complaints.isEmpty)
        }
    }
}
