import ArgumentParser
import Foundation
import TestSupport
import Testing

@testable import App

@Suite(.bounded) struct HubExecTests {
    @Test(
        "A shell script runs a campaign and sees what arrived",
        .enabled(if: InstalledTool.areThere("curl")))
    func shellScriptRunsACampaignAndSeesWhatArrived() async throws {
        let fixture = try ExecFixture([
            "notice.yaml": Campaigns.secure(),
            "check.sh": """
            #!/bin/sh
            set -e
            "$HUBSEND" run notice.yaml
            curl -sf "$HUBSEND_HUB_URL/.hubsend/devices/alice"
            test -f "$HUBSEND_STORE"
            ls "$HUBSEND_REPORTS"

            """,
        ])
        let result = try await fixture.run(
            ["sh", "check.sh"], options: ["--devices", "devices.yaml"], status: 0)
        #expect(result.complaints.isEmpty)
        #expect(result.output.contains("secureId"))
        #expect(result.output.contains("-notice.csv"))
        #expect(try fixture.folders().isEmpty)
        #expect(try !fixture.workspace.listing().contains(".hubsend"), "the store was another one")
    }

    @Test(
        "A Python program that signs its own requests can send",
        .enabled(if: InstalledTool.areThere("python3")))
    func pythonProgramThatSignsItsOwnRequestsCanSend() async throws {
        let fixture = try ExecFixture([
            "send.py": """
            import base64, hashlib, hmac, http.client, json, os, time, urllib.parse

            parts = dict(
                part.split("=", 1)
                for part in os.environ["HUBSEND_HUB_CONNECTION_STRING"].split(";"))
            hub = os.environ["HUBSEND_HUB_NAME"]
            endpoint = urllib.parse.urlsplit(parts["Endpoint"])
            resource = urllib.parse.quote_plus(f"http://{endpoint.netloc}/{hub}".lower())
            expiry = int(time.time()) + 300
            digest = hmac.new(
                parts["SharedAccessKey"].encode(), f"{resource}\\n{expiry}".encode(),
                hashlib.sha256).digest()
            signature = urllib.parse.quote_plus(base64.b64encode(digest))
            token = (
                f"SharedAccessSignature sr={resource}&sig={signature}&se={expiry}"
                f"&skn={parts['SharedAccessKeyName']}")
            connection = http.client.HTTPConnection(endpoint.hostname, endpoint.port)
            connection.request(
                "POST", f"/{hub}/messages?api-version=2020-06",
                json.dumps({"aps": {"alert": "Hello from Python"}}),
                {"Authorization": token, "Content-Type": "application/json;charset=utf-8",
                 "ServiceBusNotification-Format": "apple", "apns-push-type": "alert",
                 "ServiceBusNotification-Tags": "username:alice"})
            answer = connection.getresponse()
            print(answer.status, answer.read().decode())
            connection.request("GET", "/.hubsend/devices/alice")
            print(connection.getresponse().read().decode())

            """
        ])
        let result = try await fixture.run(
            ["python3", "send.py"], options: ["--devices", "devices.yaml"], status: 0)
        #expect(result.output.hasPrefix("201 "), "\(result.output)")
        #expect(result.output.contains("Hello from Python"))
    }

    @Test(
        "The exit code of the command is returned",
        arguments: [
            ("exit 0", 0), ("exit 255", 255), ("kill -KILL $$", 137), ("kill -ABRT $$", 134),
        ] as [(String, Int32)])
    func exitCodeOfTheCommandIsReturned(script: String, status: Int32) async throws {
        let fixture = try ExecFixture()
        let result = try await fixture.run(["sh", "-c", script], status: status)
        #expect(result.output.isEmpty)
        #expect(result.complaints.isEmpty, "\(result.complaints)")
        #expect(try fixture.folders().isEmpty)
    }

    @Test(
        "The output explains why a command could not be started",
        arguments: [
            (["no-such-command"], 127, "no folder in PATH"), (["./plain"], 126, "chmod +x"),
            (["./bare"], 126, "#!/bin/sh"), (["./strange"], 126, "in its first line"),
        ] as [([String], Int32, String)])
    func outputExplainsWhyACommandCouldNotBeStarted(
        command: [String], status: Int32, text: String
    ) async throws {
        let fixture = try ExecFixture([
            "plain": "#!/bin/sh\n", "bare": "echo hello\n", "strange": "#!/no/such/program\n",
        ])
        for name in ["bare", "strange"] {
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o700], ofItemAtPath: fixture.workspace.file(name))
        }
        let result = try await fixture.run(command, status: status)
        #expect(result.complaints.contains(text), "\(result.complaints)")
        #expect(result.complaints.split(separator: "\n").count == 1)
        #expect(try fixture.folders().isEmpty)
    }

    @Test(
        "Wrong options are explained before the command starts",
        arguments: [
            (["--devices", "none.yaml"], "none.yaml"),
            (["--faults", "wrong.yaml"], "wrong.yaml:1"),
            (["--fault", "status: x"], "--fault:1"), (["--port", "1"], "--port is not an option"),
        ])
    func wrongOptionsAreExplainedBeforeTheCommandStarts(
        options: [String], text: String
    ) async throws {
        let fixture = try ExecFixture(["wrong.yaml": "faults: 7\n"])
        let result = try await fixture.run(["touch", "ran"], options: options, status: 2)
        #expect(result.complaints.contains(text), "\(result.complaints)")
        #expect(try !fixture.workspace.listing().contains("ran"))
        #expect(try fixture.folders().isEmpty)
    }

    @Test(
        "Wrong usage is explained",
        arguments: [
            ([], "hubsend hub exec -- make test"), (["--"], "hubsend hub exec -- make test"),
            (["true"], "hubsend hub exec -- make test"),
            (["--devices", "devices.yaml"], "hubsend hub exec -- make test"),
            (["--store", "x", "--", "true"], "Leave --store out"),
            (["--config", "x", "--", "true"], "Leave --config out"),
        ] as [([String], String)])
    func wrongUsageIsExplained(words: [String], text: String) async throws {
        let fault = await #expect(throws: (any Error).self) {
            _ = try await Hubsend.asyncParseAsRoot(["hub", "exec"] + words)
        }
        let said = Hubsend.fullMessage(for: try #require(fault))
        #expect(said.contains(text), "\(said)")
    }

    @Test("Options of `hubsend hub` are refused before and after `exec`")
    func optionsOfHubsendHubAreRefusedBeforeAndAfterExec() {
        for (words, option) in [
            (["hub", "--port", "0", "exec"], "--port"), (["hub", "exec", "--json"], "--json"),
            (["hub", "exec", "--name=x"], "--name"), (["hub", "exec", "--bogus"], "--bogus"),
            (["hub", "exec", "--devices", "x"], nil),
        ] as [([String], String?)] {
            let found = HubExecCommand.foreignOption(
                in: ["hubsend"] + words + ["--", "true", "--port"])
            #expect(found == option, "\(words)")
        }
    }

    @Test("A missing TMPDIR is explained") func missingTMPDIRIsExplained() async throws {
        let fixture = try ExecFixture()
        let result = try await fixture.run(
            ["true"], variables: ["TMPDIR": "/no/such/folder"], status: 2)
        #expect(result.complaints.contains("/no/such/folder: no such file"))
        #expect(result.complaints.contains("TMPDIR"))
    }

    @Test("The command encounters injected faults, and -v logs its requests")
    func commandEncountersInjectedFaultsAndVLogsItsRequests() async throws {
        let fixture = try ExecFixture(["notice.yaml": Campaigns.secure()])
        let result = try await fixture.run(
            ["sh", "-c", "exec \"$HUBSEND\" run notice.yaml"],
            options: ["-v", "--devices", "devices.yaml", "--fault", "status: 400"], status: 3)
        #expect(result.complaints.contains("POST /hubsend/messages"), "\(result.complaints)")
    }
}
