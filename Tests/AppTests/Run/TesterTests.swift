import Foundation
import LocalHub
import TestSupport
import Testing

/// Tests who gets a rehearsal with `--to`, and with whose values (`--as`).
@Suite(.bounded) struct TesterTests {
    private static let files = [
        "hubsend.yaml": "hub: { local: devices.yaml }\nrehearsal: { testers: [dana, bob] }\n",
        "people.csv": "username,first_name\nalice,Alice\nbob,Bob\ncarol,Carol\n",
        "hello.yaml": """
        campaign: hello
        kind: alert
        platforms: [apns]
        audience: { files: [people.csv], exclude: { usernames: [bob, carol] } }
        payload: { message: "Hi {{first_name}}" }
        """,
    ]

    @Test("A tester gets a rehearsal with an audience member's values")
    func testerGetsARehearsalWithAnAudienceMembersValues() async throws {
        let workspace = try Workspace(Self.files)
        try await HubFixture.run(people: ["alice", "bob", "dana"]) { environment, hub in
            try await Binary.run(
                ["run", "hello.yaml", "--to", "dana", "bob", "--as", "alice"], in: workspace,
                environment: environment, status: 0)
            for tester in ["dana", "bob"] {
                let texts = await hub.received(by: tester).map(\.text)
                #expect(texts == [#"{"aps":{"alert":"Hi Alice"}}"#])
            }
            #expect(await hub.received(by: "alice").isEmpty)
            #expect(hub.counts.sends == 2)
        }
    }

    @Test("A preview shows what the tester would get")
    func previewShowsWhatTheTesterWouldGet() async throws {
        let workspace = try Workspace(Self.files)
        let before = try workspace.listing()
        for command in [["preview", "hello.yaml"], ["run", "--dry-run", "hello.yaml"]] {
            let result = try await Binary.run(
                command + ["--to", "dana", "--as", "alice"], in: workspace, status: 0)
            #expect(result.output.contains("would reach 1 person with 1 push"))
            #expect(result.output.contains("Hi Alice"))
        }
        #expect(try workspace.listing() == before)
    }

    @Test(
        "An impossible rehearsal is explained",
        arguments: [
            (["--to", "mallory"], "add testers to `rehearsal.testers` in hubsend.yaml"),
            // This person is excluded and not a tester.
            (["--to", "carol"], "not in the campaign's audience: carol"),
            (["--to", "alice", "dana"], "no value for {{first_name}}: dana"),
            (["--to", "dana"], "use --as to give them the values of a member"),
            (["--to", "dana", "--as", "mallory"], "--as requires a member of the audience"),
        ])
    func impossibleRehearsalIsExplained(arguments: [String], words: String) async throws {
        let workspace = try Workspace(Self.files)
        // `preview` and `run` make the same plan and report the same errors.
        for command in arguments.contains("mallory") ? ["run", "preview"] : ["run"] {
            let result = try await Binary.run(
                [command, "hello.yaml"] + arguments, in: workspace, status: 2)
            #expect(result.complaints.contains(words), "\(result.complaints)")
        }
        #expect(!FileManager.default.fileExists(atPath: workspace.file(".hubsend")))
    }
}
