import Foundation
import LocalHub
import TestSupport
import Testing

@Suite(.bounded) struct RunTests {
    /// Tests that only the owner can read the store and the report, and that the next run writes a
    /// missing report.
    @Test("The report has one row per delivery, and only its owner can read it")
    func reportHasOneRowPerDeliveryAndOnlyItsOwnerCanReadIt() async throws {
        let workspace = try Workspace(["notice.yaml": Campaigns.secure(platforms: "apns, fcm")])
        let result = try await Binary.run(["run", "notice.yaml"], in: workspace, status: 0)
        #expect(result.output.isEmpty)
        #expect(result.complaints.isEmpty)
        let lines = try workspace.reportRows(of: "notice")
        let rows = lines.map { $0.split(separator: ",", omittingEmptySubsequences: false) }
        #expect(
            rows.map { $0[2...3].joined(separator: "/") } == [
                "alice/apns", "alice/fcm", "bob/apns", "bob/fcm",
            ])
        #expect(rows.allSatisfy { $0[5] == "accepted" })
        #expect(Set(rows.map { $0[4] }).count == 1)
        for name in try workspace.listing() where name.hasPrefix(".hubsend/") {
            let attributes = try FileManager.default.attributesOfItem(atPath: workspace.file(name))
            let mode = try #require(attributes[.posixPermissions] as? Int)
            #expect(mode & 0o077 == 0, "\(name)")
        }
        try FileManager.default.removeItem(atPath: workspace.file(".hubsend/reports"))
        try await Binary.run(["run", "notice.yaml"], in: workspace, status: 0)
        #expect(try workspace.reportRows(of: "notice") == lines)
    }

    /// Sends without an administrator's network privileges, as in a container.
    @Test("A secure push contains only the ID that is in the report")
    func securePushContainsOnlyTheIDThatIsInTheReport() async throws {
        let workspace = try Workspace(["notice.yaml": Campaigns.secure(to: ["alice"])])
        let script = """
            without="setpriv --bounding-set=-net_admin --inh-caps=-net_admin"
            # Who may not give that up does not have it.
            $without true 2>&1 || without=
            exec $without "$HUBSEND" run notice.yaml
            """
        try await HubFixture.run(people: ["alice"]) { environment, hub in
            let run = try await Binary.start(
                ["-c", script], of: "/bin/sh", in: workspace,
                environment: environment.merging(["HUBSEND": Binary.path]) { $1 })
            try await run.end(0)
            let pushes = await hub.received(by: "alice")
            let id = try workspace.reportRows(of: "notice")[0].split(
                separator: ",", omittingEmptySubsequences: false)[4]
            #expect(pushes.map(\.text) == [#"{"aps":{"content-available":1},"secureId":"\#(id)"}"#])
            #expect(pushes[0].headers["apns-push-type"] == "background")
            #expect(pushes[0].headers["apns-priority"] == "5")
        }
    }

    @Test("A finished campaign is not sent again")
    func finishedCampaignIsNotSentAgain() async throws {
        let workspace = try Workspace(["notice.yaml": Campaigns.secure()])
        try await HubFixture.run(people: ["alice", "bob"]) { environment, hub in
            for (option, sends) in [(["--again"], 2), ([], 2), (["--again"], 4)] {
                let run = try await Binary.run(
                    ["run", "notice.yaml"] + option, in: workspace, environment: environment,
                    status: 0)
                if option.isEmpty { #expect(run.complaints.isEmpty, "\(run.complaints)") }
                #expect(hub.counts.sends == sends)
            }
        }
    }

    @Test("Each occurrence is sent once") func eachOccurrenceIsSentOnce() async throws {
        let workspace = try Workspace(["notice.yaml": Campaigns.secure()])
        try await HubFixture.run(people: ["alice", "bob"]) { environment, hub in
            for key in ["monday", "tuesday", "monday"] {
                try await Binary.run(
                    ["run", "--occurrence", key, "notice.yaml"], in: workspace,
                    environment: environment, status: 0)
            }
            #expect(hub.counts.sends == 4)
        }
    }

    @Test("A rehearsal reaches nobody else") func rehearsalReachesNobodyElse() async throws {
        let workspace = try Workspace(["notice.yaml": Campaigns.secure()])
        try await HubFixture.run(people: ["alice", "bob"]) { environment, hub in
            try await Binary.run(
                ["run", "notice.yaml", "--to", "bob"], in: workspace, environment: environment,
                status: 0)
            #expect(await hub.received(by: "alice").isEmpty)
            #expect(await hub.received(by: "bob").count == 1)
            try await Binary.run(
                ["run", "notice.yaml"], in: workspace, environment: environment, status: 0)
            #expect(hub.counts.sends == 3)
        }
    }

    @Test("All campaigns are checked before the first is sent")
    func allCampaignsAreCheckedBeforeTheFirstIsSent() async throws {
        let workspace = try Workspace([
            "good.yaml": Campaigns.secure("good"),
            "bad.yaml": Campaigns.secure("bad").replacing("kind: secure", with: "kind: secret"),
        ])
        try await HubFixture.run(people: ["alice", "bob"]) { environment, hub in
            let result = try await Binary.run(
                ["run", "good.yaml", "bad.yaml"], in: workspace, environment: environment, status: 1
            )
            #expect(result.output.contains("bad.yaml:2:7: error:"))
            #expect(hub.counts.sends == 0)
        }
    }

    @Test("An invalid row in a later audience stops the first campaign")
    func invalidRowInALaterAudienceStopsTheFirstCampaign() async throws {
        let workspace = try Workspace([
            "good.yaml": Campaigns.secure("good"),
            "bad.yaml": Campaigns.secure("bad")
                .replacing("usernames: [alice, bob]", with: "files: [people.txt]"),
            "worse.yaml": Campaigns.secure("worse")
                .replacing(
                    "usernames: [alice, bob]",
                    with: "usernames: [alice, bob]\n  exclude: { files: [excluded.txt] }"),
            "people.txt": "bob\ncarol\nno name\n", "excluded.txt": "bob\ncarol\nno name\n",
        ])
        try await HubFixture.run(people: ["alice", "bob"]) { environment, hub in
            let result = try await Binary.run(
                ["run", "good.yaml", "bad.yaml", "worse.yaml"], in: workspace,
                environment: environment, status: 1)
            #expect(result.output.contains("people.txt:3:"), "\(result.output)")
            #expect(result.output.contains("excluded.txt:3:"), "\(result.output)")
            #expect(hub.counts.sends == 0)
            #expect(!FileManager.default.fileExists(atPath: workspace.path + "/.hubsend"))
        }
    }

    @Test("Twenty people share a request, and --json prints one object")
    func twentyPeopleShareARequestAndJsonPrintsOneObject() async throws {
        let people = Campaigns.people(45)
        let workspace = try Workspace([
            "notice.yaml": Campaigns.secure(
                to: people, delivery: ["rate: unlimited", "recipients_per_push: 20"])
        ])
        try await HubFixture.run(people: people) { environment, hub in
            let run = try await Binary.run(
                ["run", "--json", "notice.yaml"], in: workspace, environment: environment, status: 0
            )
            let object = try run.output.object()
            #expect(
                object.keys.sorted() == [
                    "campaign", "deliveries", "finished", "occurrence", "outcomes", "people",
                    "plan", "recipients", "report", "requests", "resumes", "run", "started",
                    "started_by", "state",
                ])
            #expect(object["state"] as? String == "finished")
            #expect(object["requests"] as? Int == 3)
            #expect((object["outcomes"] as? [String: Int])?["accepted"] == 45)
            let report = try #require(object["report"] as? String)
            #expect(FileManager.default.fileExists(atPath: report))
            #expect(hub.counts.sends == 3)
            #expect(try workspace.reportRows(of: "notice").count == 45)
            for person in people { #expect(await hub.received(by: person).count == 1) }
        }
    }

    @Test("Too many failures pause a run, which says how to continue")
    func tooManyFailuresPauseARunWhichSaysHowToContinue() async throws {
        let people = Campaigns.people(100)
        let workspace = try Workspace([
            "notice.yaml": Campaigns.secure(
                to: people, delivery: ["rate: 20/s", "stop_when: { failed: 50%, after: 10 }"])
        ])
        try await HubFixture.run(people: people, fault: { _ in .answer(status: 400) }) {
            environment, _ in
            let run = try await Binary.run(
                ["run", "notice.yaml"], in: workspace, environment: environment, status: 75)
            #expect(run.complaints.contains("Too many deliveries failed"))
            #expect(run.complaints.contains("hubsend resume"))
        }
    }
}
