import Foundation
import LocalHub
import TestSupport
import Testing

@Suite(.bounded) struct FollowUpTests {
    private static let people = ["alice", "bob", "carol"]
    private static let only = ["run", "notice.yaml", "--again", "--only"]

    /// A workspace where the hub refused a campaign's deliveries to three people.
    private func left(
        platforms: String = "apns",
        refusing isRefused: @escaping @Sendable (_ person: String?, _ isFCM: Bool) -> Bool
    ) async throws -> Workspace {
        let workspace = try Workspace(["notice.yaml": Self.campaign(platforms: platforms)])
        try await HubFixture.run(
            people: Self.people,
            fault: { isRefused($0.tags, $0.platform == .fcm) ? .answer(status: 400) : nil }
        ) { environment, _ in
            try await Binary.run(
                ["run", "notice.yaml"], in: workspace, environment: environment, status: 3)
        }
        return workspace
    }

    private static func campaign(platforms: String = "apns", exclude: String = "") -> String {
        Campaigns.secure(to: people, platforms: platforms).replacing(
            "payload:", with: "  min_recipients: 3\n\(exclude)payload:")
    }

    private func runs(in workspace: Workspace) async throws -> Int {
        let list = try await Binary.run(["runs", "--format", "json"], in: workspace)
        let runs = try JSONSerialization.jsonObject(with: Data(list.output.utf8))
        return try #require(runs as? [Any]).count
    }

    @Test("A follow-up run sends only to people the hub rejected")
    func followUpRunSendsOnlyToPeopleTheHubRejected() async throws {
        let workspace = try await left { person, _ in person == "username:bob" }
        try await HubFixture.run(people: Self.people) { environment, hub in
            let dry = try await Binary.run(
                Self.only + ["rejected", "--dry-run"], in: workspace, environment: environment,
                status: 0)
            #expect(dry.output.contains("would reach 1 person with 1 push:"), "\(dry.output)")
            try await Binary.run(
                Self.only + ["failed,rejected,unknown"], in: workspace, environment: environment,
                status: 0)
            #expect(hub.counts.sends == 1)
            #expect(await hub.received(by: "bob").count == 1)
            // The last run is the one that has just finished, and it reached everybody.
            let nothing = try await Binary.run(
                Self.only + ["failed,rejected,unknown"], in: workspace, environment: environment,
                status: 0)
            #expect(nothing.complaints.isEmpty, "\(nothing.complaints)")
            #expect(hub.counts.sends == 1)
            #expect(try await runs(in: workspace) == 2)
            try await Binary.run(
                Self.only + ["rejected"],
                onATerminalShowing: ["nobody in the audience has a delivery in run "],
                in: workspace, environment: environment)
        }
    }

    @Test("A follow-up run does not repeat a platform that was reached")
    func followUpRunDoesNotRepeatAPlatformThatWasReached() async throws {
        let workspace = try await left(platforms: "apns, fcm") { person, isFCM in
            person == (isFCM ? "username:alice" : "username:bob")
        }
        try await HubFixture.run(people: Self.people) { environment, hub in
            let rest = try await Binary.run(
                Self.only + ["rejected", "--json"], in: workspace, environment: environment,
                status: 0)
            #expect(hub.counts.sends == 2)
            #expect(rest.output.contains(#""recipients":2"#))
            #expect(rest.output.contains(#""accepted":2"#))
            let report = try await Binary.run(
                ["report", "--output", "-"], in: workspace, environment: environment)
            let rows = report.output.split(separator: "\n").dropFirst().map {
                $0.split(separator: ",", omittingEmptySubsequences: false)
            }
            #expect(
                rows.map { $0[2...3].joined(separator: "/") + " \($0[5])" } == [
                    "alice/apns skipped", "alice/fcm accepted", "bob/apns accepted",
                    "bob/fcm skipped",
                ])
            #expect(
                rows.filter { $0[6] == "not asked for" }.map { $0[5] } == ["skipped", "skipped"])
            // Pushes that were skipped on purpose are never repeated.
            try await Binary.run(
                Self.only + ["skipped"], in: workspace, environment: environment, status: 0)
            #expect(hub.counts.sends == 2)
        }
    }

    @Test("A person who has since been excluded gets no follow-up")
    func personWhoHasSinceBeenExcludedGetsNoFollowUp() async throws {
        let workspace = try await left { person, _ in person != "username:alice" }
        try workspace.write(
            Self.campaign(exclude: "  exclude: { usernames: [bob] }\n"), to: "notice.yaml")
        try await HubFixture.run(people: Self.people) { environment, hub in
            try await Binary.run(
                Self.only + ["rejected"], in: workspace, environment: environment, status: 0)
            #expect(await hub.received(by: "bob").isEmpty)
            #expect(await hub.received(by: "carol").count == 1)
            #expect(hub.counts.sends == 1)
        }
    }

    @Test("A follow-up run requires a finished run") func followUpRunRequiresAFinishedRun()
        async throws
    {
        let workspace = try Workspace(["notice.yaml": Self.campaign()])
        for extra in [[], ["--dry-run"]] {
            let result = try await Binary.run(
                Self.only + ["failed"] + extra, in: workspace, status: 2)
            #expect(
                result.complaints.contains("Campaign notice has no finished run"),
                "\(result.complaints)")
        }
        #expect(!FileManager.default.fileExists(atPath: workspace.file(".hubsend")))
    }
}
