import ArgumentParser
import Foundation
import TestSupport
import Testing

@testable import App

@Suite(.bounded) struct PayloadTests {
    private static let personal = [
        "people.csv": "username,code\nalice,4711-quiet-harbour\nbob,0815\n",
        "codes.yaml": """
        campaign: codes
        kind: secure
        platforms: [apns, fcm]
        audience: { files: [people.csv] }
        payload: { text: "Your code is {{code}}.", data: { campaign: codes } }
        """,
    ]

    private struct Listed: Decodable {
        let notification: String
        let run: String
        let recipient: String?
        let state: String
        let encrypted: Bool
    }

    private func list(in workspace: Workspace, _ arguments: [String] = []) async throws -> [Listed]
    {
        let result = try await Binary.run(
            ["payload", "list", "--format", "json"] + arguments, in: workspace, status: 0)
        return try JSONDecoder().decode([Listed].self, from: Data(result.output.utf8))
    }

    /// A workspace where a campaign with a payload for each of two people was sent.
    private func sent() async throws -> Workspace {
        let files = try await Self.sentFiles.value
        #expect(files.complaints.isEmpty)
        return try files.workspace()
    }

    private static let sentFiles = Task {
        try await SentFiles(of: "codes.yaml", in: personal)
    }

    @Test("An operator can list and show payloads, and the audit log records this")
    func operatorCanListAndShowPayloadsAndTheAuditLogRecordsThis() async throws {
        let workspace = try await sent()
        let first = try await list(in: workspace, ["--limit", "1"])
        let alice = try #require(first.first).notification
        let rest = try await list(in: workspace, ["--after", alice])
        let listed = first + rest
        #expect(listed.map(\.recipient) == ["alice", "bob"])
        #expect(listed.allSatisfy { $0.encrypted && $0.state == "available" })
        let shown = try await Binary.run(["payload", "show", alice], in: workspace, status: 0)
        #expect(shown.output.hasSuffix("\n\nYour code is 4711-quiet-harbour.\n"))
        let json = try await Binary.run(
            ["payload", "show", alice, "--format", "json"], in: workspace)
        #expect(json.output.contains(#""text":"Your code is 4711-quiet-harbour.""#))
        #expect(json.output.contains(#""data":{"campaign":"codes"}"#))
        let audit = try workspace.text(".hubsend/audit.jsonl")
        #expect(audit.contains("\"action\":\"show\""))
        #expect(audit.contains(alice))
        #expect(!audit.contains("4711-quiet-harbour"))
    }

    @Test("One person's payload can be revoked, and the report shows this")
    func onePersonsPayloadCanBeRevokedAndTheReportShowsThis() async throws {
        let workspace = try await sent()
        let alice = try #require(try await list(in: workspace).first).notification
        // A wrong ID revokes nothing.
        let unknown = String(repeating: "a", count: 26)
        let slip = try await Binary.run(
            ["payload", "revoke", alice, unknown], in: workspace, status: 2)
        #expect(slip.complaints.contains(unknown) && !slip.complaints.contains(alice))
        let revoked = try await Binary.run(["payload", "revoke", alice], in: workspace, status: 0)
        #expect(!revoked.output.contains("already"), "\(revoked.output)")
        let states = try await list(in: workspace).map(\.state)
        #expect(states == ["revoked", "available"])
        // A second call is harmless.
        let again = try await Binary.run(["payload", "revoke", alice], in: workspace, status: 0)
        #expect(
            again.output.contains("\(alice) was already revoked on 2"), "\(again.output)")
        let report = try await Binary.run(["report", "--output", "-"], in: workspace)
        let rows = report.output.split(separator: "\n").dropFirst()
        #expect(rows.filter { $0.contains("payload revoked 2") }.count == 2)
        #expect(rows.allSatisfy { $0.contains(",alice,") == $0.contains("payload revoked 2") })
    }

    @Test("A shared payload is revoked with its run")
    func sharedPayloadIsRevokedWithItsRun() async throws {
        let workspace = try await SentFiles.notice()
        let shared = try #require(try await list(in: workspace).first)
        #expect(shared.recipient == nil)
        let revoked = try await Binary.run(
            ["payload", "revoke", shared.notification], in: workspace)
        #expect(revoked.output.contains("run \(shared.run) are revoked"))
        // A second call is harmless.
        let again = try await Binary.run(
            ["payload", "revoke", "--run", shared.run], in: workspace, status: 0)
        #expect(again.output.contains("run \(shared.run) were already revoked on 2"))
        let summary = try await Binary.run(["report", "--format", "text"], in: workspace)
        #expect(summary.output.contains("nobody can fetch it any more"))
    }

    @Test("A purge deletes content that nobody can fetch, and keeps the report")
    func purgeDeletesContentThatNobodyCanFetchAndKeepsTheReport() async throws {
        let workspace = try await sent()
        let nothing = try await Binary.run(["payload", "purge"], in: workspace)
        #expect(nothing.output == "There is nothing to delete.\n")
        let listed = try await list(in: workspace)
        let alice = listed[0].notification
        _ = try await Binary.run(["payload", "revoke", alice], in: workspace)
        let dry = try await Binary.run(["payload", "purge", "--dry-run"], in: workspace)
        #expect(dry.output.hasPrefix("The content of 1 payload ("))
        #expect(dry.output.hasSuffix("would be deleted.\n"))
        let purged = try await Binary.run(["payload", "purge"], in: workspace)
        #expect(purged.output.hasSuffix("was deleted.\n"))
        let states = try await list(in: workspace).map(\.state)
        #expect(states == ["purged", "available"])
        let shown = try await Binary.run(
            ["payload", "show", alice, "--output", "-"], in: workspace, status: 2)
        #expect(shown.complaints.contains("was purged"))
        let report = try await Binary.run(["report", "--output", "-"], in: workspace)
        #expect(report.output.split(separator: "\n").count == 5)
    }

    @Test("A payload that does not fit on a full disk can be written later")
    func payloadThatDoesNotFitOnAFullDiskCanBeWrittenLater() async throws {
        let workspace = try await sent()
        let alice = try #require(try await list(in: workspace).first).notification
        let script = "exec '\(Binary.path)' payload show \(alice) --output - >/dev/full"
        let full = try await Binary.start(
            ["-c", script], of: "/bin/bash", in: workspace
        ).end(75)
        #expect(
            full.complaints.contains(
                "The payload cannot be written: no space left on device. Free some space and try again."
            ), "\(full.complaints)")
    }

    @Test("A purge frees the space of a large payload")
    func purgeFreesTheSpaceOfALargePayload() async throws {
        let workspace = try Workspace([
            "big.txt": String(repeating: "news ", count: 100_000),
            "big.yaml": """
            campaign: big
            kind: secure
            platforms: [apns]
            audience: { usernames: [alice] }
            payload: { file: big.txt }
            """,
        ])
        try await Binary.run(["run", "big.yaml"], in: workspace, status: 0)
        let text = try await Binary.run(["payload", "list"], in: workspace)
        #expect(text.output.contains("  500,000  "), "\(text.output)")
        let payload = try #require(try await list(in: workspace).first)
        _ = try await Binary.run(["payload", "revoke", payload.notification], in: workspace)
        let before = try size(of: ".hubsend/store.sqlite", in: workspace)
        let purged = try await Binary.run(["payload", "purge"], in: workspace)
        #expect(
            purged.output.contains("The content of 1 payload (500.0 kB) was deleted.\n"),
            "\(purged.output)")
        #expect(purged.output.contains("The store's file shrank by "))
        #expect(purged.output.hasSuffix(" kB.\n"))
        #expect(try size(of: ".hubsend/store.sqlite", in: workspace) < before - 400_000)
    }

    private func size(of name: String, in workspace: Workspace) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: workspace.file(name))
        return try #require(attributes[.size] as? NSNumber).intValue
    }

    @Test("Showing an encrypted payload requires its key")
    func showingAnEncryptedPayloadRequiresItsKey() async throws {
        let workspace = try Workspace(Self.personal)
        let key = Data(repeating: 7, count: 32).base64EncodedString()
        try await Binary.run(
            ["run", "codes.yaml"], in: workspace, environment: ["HUBSEND_PAYLOAD_KEY": key],
            status: 0)
        #expect(!(try workspace.listing()).contains(".hubsend/store.sqlite.key"))
        let alice = try await list(in: workspace)[0].notification
        let other = Data(repeating: 8, count: 32).base64EncodedString()
        for environment in [[:], ["HUBSEND_PAYLOAD_KEY": other]] {
            let refused = try await Binary.run(
                ["payload", "show", alice], in: workspace, environment: environment, status: 2)
            #expect(refused.complaints.contains("key"))
            #expect(!refused.output.contains("4711-quiet-harbour"))
        }
        let shown = try await Binary.run(
            ["payload", "show", alice], in: workspace,
            environment: ["HUBSEND_PAYLOAD_KEY": key])
        #expect(shown.output.contains("4711-quiet-harbour"))
        // A command that does not need payloads does not need the key.
        try await Binary.run(["report", "--output", "-"], in: workspace, status: 0)
    }

    @Test(
        "Wrong usage is explained",
        arguments: [
            (["payload", "show", "ABC"], "is not a payload id"),
            (["payload", "revoke"], "Name one or more payloads"),
            (["payload", "list", "--limit", "0"], "--limit takes"),
            (["report", "20261201T090000Z-abcdef", "--user", "alice"], "not both"),
        ])
    func wrongUsageIsExplained(arguments: [String], words: String) async throws {
        let fault = await #expect(throws: (any Error).self) {
            _ = try await Hubsend.asyncParseAsRoot(arguments)
        }
        let said = Hubsend.fullMessage(for: try #require(fault))
        #expect(said.contains(words), "\(said)")
    }

    @Test("The message about a missing payload or run names it")
    func messageAboutAMissingPayloadOrRunNamesIt() async throws {
        let workspace = try await sent()
        for arguments in [
            ["show", "aaaaaaaaaaaaaaaaaaaaaaaaaa"], ["revoke", "aaaaaaaaaaaaaaaaaaaaaaaaaa"],
            ["list", "--run", "20261201T090000Z-abcdef"],
            ["revoke", "--run", "20261201T090000Z-abcdef"],
        ] {
            let result = try await Binary.run(["payload"] + arguments, in: workspace, status: 2)
            #expect(
                result.complaints.lowercased().contains("there is no"), "\(result.complaints)")
        }
    }
}
