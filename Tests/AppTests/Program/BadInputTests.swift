import ArgumentParser
import Foundation
import LocalHub
import TestSupport
import Testing

@testable import App

/// For each mistake, there is a message that says what to do, and the documented exit code.
@Suite(.bounded) struct BadInputTests {
    private func expect(
        _ arguments: [String], in workspace: Workspace, environment: [String: String] = [:],
        status: Int32, says text: String, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let result = try await Binary.run(arguments, in: workspace, environment: environment)
        let said = result.output + result.complaints
        #expect(result.status == status, "\(said)", sourceLocation: sourceLocation)
        #expect(said.contains(text), "\(said)", sourceLocation: sourceLocation)
        #expect(!said.contains("Fatal error"), sourceLocation: sourceLocation)
    }

    @Test(
        "A wrong command line is explained, with a remedy",
        arguments: [
            (["run", ""], 2, "There is no file \"\""),
            (["run", "deep/nothing.yaml"], 2, "There is no file \"deep/nothing.yaml\""),
            (["run", "deep"], 2, "is a folder"), (["run", ".."], 2, "is a folder"),
            (["preview", "deep"], 2, "There is no campaign file in deep"),
            (["run", "--to", "alice", "notice.yaml"], 2, "before --to"),
            (["run", "zero.yaml"], 1, "zero.yaml:2:10: error:"),
            (["run", "--store", "file/store.sqlite", "notice.yaml"], 2, "file"),
            (["run", "--store", "/dev/full/x", "notice.yaml"], 2, "/dev/full/x"),
            (["run", "--reports", "file/reports", "notice.yaml"], 2, "hubsend report"),
            (["run", "faulty/notice.yaml"], 2, "hubsend.yaml:2:1: error:"),
            (["preview", "faulty/notice.yaml"], 2, "hubsend.yaml:2:1: error:"),
            (["runs", "--config", "faulty/hubsend.yaml"], 2, "hubsend.yaml:2:1: error:"),
            (["run", "odd/notice.yaml"], 2, "devices.yaml:1:"),
        ] as [([String], Int32, String)])
    func wrongCommandLineIsExplainedWithARemedy(arguments: [String], status: Int32, text: String)
        async throws
    {
        let workspace = try Workspace([
            "notice.yaml": Campaigns.secure(), "file": "", "deep/.git": "",
            "zero.yaml": "campaign: x\nkind: sec\0ure\n", "faulty/notice.yaml": Campaigns.secure(),
            "faulty/hubsend.yaml": "hub: { local: devices.yaml }\nstoer: x\n",
            "odd/notice.yaml": Campaigns.secure(),
            "odd/hubsend.yaml": "hub: { local: devices.yaml }\n",
            "odd/devices.yaml": "devices: [{ user: al ice, platform: apns }]\n",
        ])
        try await expect(arguments, in: workspace, status: status, says: text)
    }

    @Test("Hostile files are refused quickly and do not hide other findings")
    func hostileFilesAreRefusedQuicklyAndDoNotHideOtherFindings() async throws {
        var laughs = "campaign: laughs\na0: &a0 [x, x, x, x, x, x, x, x, x]\n"
        for level in 1...12 {
            let previous = "*a\(level - 1)"
            laughs +=
                "a\(level): &a\(level) ["
                + Array(repeating: previous, count: 9).joined(separator: ", ") + "]\n"
        }
        let workspace = try Workspace([
            "laughs.yaml": laughs, "bad.yaml": "campaign: Bad Name\n",
            "notice.yaml": Campaigns.secure(to: ["alice", "Alice"]),
        ])
        try workspace.write(Data((0...255).map { UInt8($0) }), to: "junk.yaml")
        try workspace.write(Data(repeating: UInt8(ascii: "["), count: 1 << 20), to: "deep.yaml")
        // The file is sparse, so it takes no space on the disk.
        let file = try FileHandle(forWritingTo: URL(filePath: workspace.file("deep.yaml")))
        try file.truncate(atOffset: 200 << 20)
        try file.close()
        let result = try await Binary.run(["validate"], in: workspace, status: 1)
        let lines = result.output.split(separator: "\n")
        for (place, words) in [
            ("junk.yaml:1:1:", "error:"), ("bad.yaml:1:11:", "error:"),
            ("deep.yaml:", "[too-large]"), ("laughs.yaml:", "error:"),
            ("notice.yaml:", "[case-conflict]"),
        ] {
            #expect(
                lines.contains { $0.hasPrefix(place) && $0.contains(words) }, "\(result.output)")
        }
    }

    @Test("Files outside the folder are not read")
    func filesOutsideTheFolderAreNotRead() async throws {
        let paths = ["../../etc/passwd", "/etc/passwd", "link.csv", ".hidden.csv", "hubsend.yaml"]
        let workspace = try Workspace([".hidden.csv": "username\nalice\n"])
        for (number, path) in paths.enumerated() {
            try workspace.write(
                Self.secure("sneaky-\(number)", to: "files: [\(path)]"), to: "s\(number).yaml")
        }
        try workspace.link("link.csv", to: "/etc/passwd")
        let result = try await Binary.run(
            ["run"] + paths.indices.map { "s\($0).yaml" }, in: workspace, status: 1)
        for number in paths.indices {
            #expect(result.output.contains("s\(number).yaml:4:"), "\(result.output)")
        }
        #expect(!result.output.contains("root:"))
    }

    /// A secure campaign in five lines; the audience is on the fourth.
    private static func secure(_ name: String, to audience: String) -> String {
        """
        campaign: \(name)
        kind: secure
        platforms: [apns]
        audience: { \(audience) }
        payload: { text: News }
        """
    }

    @Test("An empty audience never causes a broadcast")
    func emptyAudienceNeverCausesABroadcast() async throws {
        let workspace = try Workspace([
            "out.txt": "alice\nbob\n",
            "notice.yaml": Self.secure(
                "notice", to: "usernames: [alice, bob], exclude: { files: [out.txt] }"),
        ])
        try await expect(
            ["run", "notice.yaml"], in: workspace, status: 1, says: "[empty-audience]")
        #expect(try !workspace.listing().contains(".hubsend"))
    }

    @Test("If exclusions cannot be read, nothing is sent")
    func ifExclusionsCannotBeReadNothingIsSent() async throws {
        let lists = ["gone.txt", "empty.txt"]
        let workspace = try Workspace(["empty.txt": ""])
        for (number, list) in lists.enumerated() {
            try workspace.write(
                Self.secure(
                    "notice-\(number)", to: "usernames: [alice, bob], exclude: { files: [\(list)] }"
                ),
                to: "n\(number).yaml")
        }
        let result = try await Binary.run(
            ["run"] + lists.indices.map { "n\($0).yaml" }, in: workspace, status: 1)
        let lines = result.output.split(separator: "\n")
        for (number, list) in lists.enumerated() {
            #expect(
                lines.contains {
                    $0.hasPrefix("n\(number).yaml:4:") && $0.contains(" error: ")
                        && $0.contains(list)
                }, "\(result.output)")
        }
    }

    @Test("A wrong key pauses the run with exit code 4")
    func wrongKeyPausesTheRunWithExitCode4() async throws {
        let workspace = try Workspace(["notice.yaml": Campaigns.secure()])
        try await HubFixture.run(people: ["alice", "bob"]) { environment, hub in
            var wrong = environment
            let string = try #require(environment["HUBSEND_HUB_CONNECTION_STRING"])
            let key = try #require(string.range(of: "SharedAccessKey="))
            wrong["HUBSEND_HUB_CONNECTION_STRING"] = String(string[..<key.upperBound]) + "d3Jvbmc="
            try await expect(
                ["run", "notice.yaml"], in: workspace, environment: wrong, status: 4,
                says: "The hub refused the key")
            #expect(hub.counts.sends == 0)
            try await Binary.run(
                ["run", "notice.yaml"], in: workspace, environment: environment, status: 0)
            #expect(hub.counts.sends == 2)
        }
    }

    @Test("Wrong usage exits with 2", arguments: [["run", "--bogus"], ["report", "no-such-run"]])
    func wrongUsageExitsWith2(arguments: [String]) async throws {
        let result = try await Binary.run(arguments, in: Workspace(), status: 2)
        #expect(result.output.isEmpty)
        #expect(!result.complaints.isEmpty)
    }

    @Test(
        "Wrong usage is detected before anything is done",
        arguments: [
            ["run"], ["bogus"], ["stop"], ["preview"],
            ["run", "x.yaml", "--again", "--to", "alice"],
            ["runs", "--limit", "0"],
        ])
    func wrongUsageIsDetectedBeforeAnythingIsDone(arguments: [String]) async throws {
        let fault = await #expect(throws: (any Error).self) {
            _ = try await Hubsend.asyncParseAsRoot(arguments)
        }
        #expect(Hubsend.exitCode(for: try #require(fault)) == .validationFailure)
    }

    @Test("A key file cannot be a payload") func keyFileCannotBeAPayload() async throws {
        let workspace = try Workspace([
            "key.txt":
                "Endpoint=sb://x.example/;SharedAccessKeyName=a;SharedAccessKey=dG9wc2VjcmV0",
            "notice.yaml": """
            campaign: notice
            kind: secure
            platforms: [apns]
            audience: { usernames: [alice] }
            payload: { file: key.txt }
            """,
        ])
        let string = "Endpoint=http://127.0.0.1:1/;SharedAccessKeyName=x;SharedAccessKey=a2V5"
        // This applies even if another setting overrides the file.
        for other in [[:], ["HUBSEND_HUB_CONNECTION_STRING": string]] {
            let file = ["HUBSEND_HUB_CONNECTION_STRING_FILE": "key.txt", "HUBSEND_HUB_NAME": "hub"]
            try await expect(
                ["run", "notice.yaml"], in: workspace, environment: file.merging(other) { $1 },
                status: 1, says: "[refused-file]")
        }
    }

    @Test("A report can replace only another report")
    func reportCanReplaceOnlyAnotherReport() async throws {
        let workspace = try await SentFiles.notice()
        let run = "20261201T090000Z-abcdef"
        let others = [
            "running.yaml": "campaign: running-shoes\nkind: alert\n",
            "paused.yaml": "campaign: paused\n\n  people: 3\n  run: \(run)\n",
            "marathon.txt": "RUN  CAMPAIGN  SHOES\nfast  spring  red\n",
            "post.txt": "SENT  by post\n",
            "nobody.txt": "No run in this store included fun at all.\n",
            "plan.csv": "run,campaign,recipient,platform,note\n\(run),a,b,apns,mine\n",
            "weekly.json": "{\"run\":\"\(run)\",\"campaign\":\"spring\",\"state\":\"finished\"}\n",
            "page.html":
                "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                + "<meta name=\"generator\" content=\"hubsend report\">\n<title>Mine</title>\n",
        ]
        for (name, text) in others { try workspace.write(text, to: name) }
        for path in [".hubsend/store.sqlite", "notice.yaml", "hubsend.yaml"] + others.keys.sorted()
        {
            let before = try Data(contentsOf: URL(fileURLWithPath: workspace.file(path)))
            try await expect(
                ["report", "-o", path], in: workspace, status: 2,
                says: "is not a hubsend report")
            #expect(try Data(contentsOf: URL(fileURLWithPath: workspace.file(path))) == before)
        }
        // Each report replaces the previous one.
        for format in ["csv", "jsonl", "text", "csv"] {
            try await expect(
                ["report", "--format", format, "-o", "mine"], in: workspace, status: 0,
                says: "mine")
        }
    }

    @Test("A report written to stdout is appended if stdout is a file")
    func reportWrittenToStdoutIsAppendedIfStdoutIsAFile() async throws {
        let workspace = try await SentFiles.notice()
        let dash = try await Binary.run(["report", "-o", "-"], in: workspace)
        let device = try await Binary.run(["report", "-o", "/dev/stdout"], in: workspace)
        #expect(dash.output.split(separator: "\n").count == 3)
        #expect(device.output == dash.output)
    }

    /// A file that is opened later must not get the stream's number.
    @Test("A closed output stream is reported as such")
    func closedOutputStreamIsReportedAsSuch() async throws {
        let script = "exec '\(Binary.path)' schema campaign <&- >&-"
        let closed = try await Binary.start(
            ["-c", script], of: "/bin/bash", in: Workspace()
        ).end(2)
        #expect(
            closed.complaints.contains("Writing to standard output failed: bad file descriptor."))
    }

    @Test("A report can be written to a device file such as /dev/null")
    func reportCanBeWrittenToADeviceFileSuchAsDevNull() async throws {
        let workspace = try await SentFiles.notice()
        try workspace.link("link", to: "/dev/null")
        try await Binary.run(["report", "-o", "link"], in: workspace, status: 0)
        let target = try FileManager.default.destinationOfSymbolicLink(
            atPath: workspace.file("link"))
        #expect(target == "/dev/null")
    }

    @Test("A file that is not a store keeps its permissions")
    func fileThatIsNotAStoreKeepsItsPermissions() async throws {
        let text = "username\nalice\n"
        let workspace = try Workspace(["people.csv": text, "notice.yaml": Campaigns.secure()])
        try workspace.setMode(0o644, of: "people.csv")
        for arguments in [["runs"], ["run", "notice.yaml"]] {
            try await expect(
                arguments + ["--store", "people.csv"], in: workspace, status: 2,
                says: "not a hubsend store"
            )
        }
        #expect(try workspace.text("people.csv") == text)
        let mode = try FileManager.default.attributesOfItem(atPath: workspace.file("people.csv"))
        #expect(mode[.posixPermissions] as? Int == 0o644)
        #expect(try workspace.listing().count == 4)
    }
}
