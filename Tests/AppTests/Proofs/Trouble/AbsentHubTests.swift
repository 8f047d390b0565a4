import Foundation
import LocalHub
import TestSupport
import Testing

@Suite(.bounded) struct AbsentHubTests {
    private static let people = Campaigns.people(150)

    @Test("A hub that restarts during a run loses nobody")
    func hubThatRestartsDuringARunLosesNobody() async throws {
        let workspace = try Workspace([
            "notice.yaml": Campaigns.secure(
                to: Self.people, delivery: ["rate: 150/s", "concurrency: 8"])
        ])
        let reached = Milestone()
        // The port is below the ephemeral ports, so that no other program gets it after the first
        // hub and before the second.
        let port = Int.random(in: 20_000..<30_000)
        var started: (run: ChildProcess, hub: LocalHubServer)?
        started = try await HubFixture.run(
            people: Self.people, platforms: [.apns], port: port,
            fault: { send in
                if send.ordinal == 50 { reached.reach() }
                // The second hub gets the other requests, even if the first one is slow to stop.
                return send.ordinal > 50 ? .answer(status: 503, retryAfter: 1) : nil
            }
        ) { address, hub in
            let run = try await Binary.start(
                ["run", "notice.yaml"], in: workspace, environment: address.environment)
            try await run.wait(for: reached)
            return (run, hub)
        }
        let (run, first) = try #require(started)
        try await HubFixture.run(people: Self.people, platforms: [.apns], port: port) { _, second in
            let result = try await run.end(0)
            #expect(result.complaints.isEmpty, "what ended well is nobody's business")
            let rows = try workspace.outcomeRows(of: "notice")
            #expect(rows.map(\.recipient) == Self.people)
            #expect(rows.allSatisfy { $0.outcome == "accepted" })
            #expect(second.counts.sends >= Self.people.count - 50)
            for person in Self.people {
                let pushes = await first.received(by: person) + second.received(by: person)
                #expect(!pushes.isEmpty, "\(person) is lost")
                #expect(Set(pushes.map(\.text)).count == 1, "a repeat is the same push")
            }
        }
    }

    @Test("An unknown host is named in the message and tried again later")
    func unknownHostIsNamedInTheMessageAndTriedAgainLater() async throws {
        let workspace = try Workspace([
            "notice.yaml": Campaigns.secure(delivery: [
                "rate: unlimited", "retry: { attempts: 2, for: 2s }",
            ]), "hubsend.yaml": "{}\n",
        ])
        let unknown = try await Binary.run(
            ["run", "notice.yaml"], in: workspace,
            environment: [
                "HUBSEND_HUB_CONNECTION_STRING":
                    "Endpoint=sb://no-such-host.invalid/;SharedAccessKeyName=x;SharedAccessKey=a2V5",
                "HUBSEND_HUB_NAME": "hub",
            ], status: 75)
        #expect(unknown.complaints.contains("no-such-host.invalid"))
        #expect(unknown.complaints.contains("could not be reached"))
        #expect(
            unknown.complaints.contains("(the name no-such-host.invalid does not resolve)"))
        #expect(!unknown.complaints.contains("a2V5"))
        let remains = try StoreRemains(in: workspace.file(".hubsend"), of: "notice")
        #expect(remains.inDoubt.isEmpty, "nothing can have gone out")
    }

    /// Nothing listens at port 1.
    private static let refusing = [
        "HUBSEND_HUB_CONNECTION_STRING":
            "Endpoint=http://127.0.0.1:1/;SharedAccessKeyName=x;SharedAccessKey=a2V5",
        "HUBSEND_HUB_NAME": "hub",
    ]

    @Test("An absent hub is not tried again for every person")
    func absentHubIsNotTriedAgainForEveryPerson() async throws {
        let people = Campaigns.people(300)
        let workspace = try Workspace([
            "notice.yaml": Campaigns.secure(
                to: people,
                delivery: ["rate: unlimited", "retry: { attempts: 3, for: 10s }"])
        ])
        let run = try await Binary.run(
            ["run", "notice.yaml"], in: workspace, environment: Self.refusing, status: 75)
        #expect(run.complaints.contains("(connection refused)"), "\(run.complaints)")
        #expect(run.complaints.contains("300 not attempted"), "\(run.complaints)")
        let attempts = try workspace.reportRows(of: "notice").map {
            Int($0.split(separator: ",", omittingEmptySubsequences: false)[8]) ?? 0
        }
        #expect(attempts.count == 300)
        #expect(attempts.reduce(0, +) <= 300 + 2, "one push for each try after the first")
    }

    /// On a terminal, the cause is shown while it lasts, and again at the end.
    @Test("A run that cannot reach its hub shows why it makes no progress")
    func runThatCannotReachItsHubShowsWhyItMakesNoProgress() async throws {
        let people = Campaigns.people(300)
        let workspace = try Workspace([
            "notice.yaml": Campaigns.secure(
                to: people, delivery: ["rate: unlimited", "retry: { attempts: 100, for: 15m }"])
        ])
        let terminal = try PseudoTerminal()
        let environment = Self.refusing.merging(["TERMINAL": terminal.path]) { $1 }
        let run = try await Binary.start(
            ["-c", #"exec "$0" run notice.yaml 2>"$TERMINAL""#, Binary.path], of: "/bin/sh",
            in: workspace, environment: environment, readRest: terminal.readRest)
        try await run.wait(
            for: terminal.shows("0 of 300  waiting for the hub: connection refused"))
        run.signal(SIGUSR1)
        try await run.wait(
            for: terminal.shows("0 %  0 of 300  waiting for the hub: connection refused"))
        run.signal(SIGTERM)
        #expect(try await run.result().status == 143)
        let reason = "Interrupted while the hub could not be reached: connection refused;"
        await terminal.shows(reason).wait()
        let report = try await Binary.run(
            ["report", "--format", "text", "--output", "-"], in: workspace)
        #expect(report.output.contains(reason), "\(report.output)")
        withExtendedLifetime(terminal) {}
    }
}
