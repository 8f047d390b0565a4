import Foundation
import FoundationNetworking
import TestSupport
import Testing

@Suite(.bounded) struct HubExecEnvironmentTests {
    private func variables(_ output: String) -> [String: String] {
        let pairs = output.split(separator: "\n").compactMap { line -> (String, String)? in
            guard let mark = line.firstIndex(of: "=") else { return nil }
            return (String(line[..<mark]), String(line[mark...].dropFirst()))
        }
        return Dictionary(pairs) { $1 }
    }

    @Test("The environment refers only to the new hub")
    func environmentRefersOnlyToTheNewHub() async throws {
        let fixture = try ExecFixture()
        let result = try await fixture.run(
            ["env"],
            variables: [
                "HUBSEND_HUB_CONNECTION_STRING": "theirs", "HUBSEND_HUB_NAME": "theirs",
                "HUBSEND_HUB_CONNECTION_STRING_FILE": "theirs",
                "HUBSEND_HUB_CONNECTION_STRING_COMMAND": "touch theirs",
                "HUBSEND_HUB_PROXY": "http://theirs:3128", "HUBSEND_STORE": "theirs",
                "HUBSEND_REPORTS": "theirs", "HUBSEND_HUB_URL": "theirs",
                "HUBSEND_HUB_CA": "theirs", "HUBSEND_HUB_TLS_CONNECTION_STRING": "theirs",
                "HUBSEND_CONFIG": "kept.yaml", "HUBSEND_PAYLOAD_KEY_FILE": "kept",
                "OTHER": "kept = as it is",
            ], status: 0)
        let seen = variables(result.output)
        let url = try #require(seen["HUBSEND_HUB_URL"])
        #expect(url.hasPrefix("http://127.0.0.1:"))
        #expect(seen["HUBSEND_HUB_CONNECTION_STRING"]?.hasPrefix("Endpoint=\(url)/;") == true)
        #expect(seen["HUBSEND_HUB_NAME"] == "hubsend")
        let folder = fixture.temporary.path + "/hubsend-exec-"
        #expect(seen["HUBSEND_STORE"]?.hasPrefix(folder) == true)
        #expect(seen["HUBSEND_REPORTS"]?.hasPrefix(folder) == true)
        for name in ["CONNECTION_STRING_FILE", "CONNECTION_STRING_COMMAND", "PROXY"] {
            #expect(seen["HUBSEND_HUB_" + name] == nil)
        }
        #expect(seen["HUBSEND_CONFIG"] == "kept.yaml")
        #expect(seen["HUBSEND_PAYLOAD_KEY_FILE"] == "kept")
        #expect(seen["OTHER"] == "kept = as it is")
        #expect(!seen.values.contains { $0.contains("theirs") })
    }

    @Test("The command inherits only the three standard streams")
    func commandInheritsOnlyTheThreeStandardStreams() async throws {
        let fixture = try ExecFixture()
        // The shell itself has the lowest free descriptor open to read the folder.
        let result = try await fixture.run(["sh", "-c", "cd /proc/$$/fd && echo *"])
        #expect(result.output == "0 1 2 3\n")
    }

    @Test("The command uses the caller's standard streams")
    func commandUsesTheCallersStandardStreams() async throws {
        let fixture = try ExecFixture()
        let result = try await fixture.run(
            ["sh", "-c", "cat; echo aside >&2"], input: "one\ntwo\n")
        #expect(result.output == "one\ntwo\n")
        #expect(result.complaints == "aside\n")
    }

    @Test("Output longer than a pipe's buffer does not block the command")
    func outputLongerThanAPipesBufferDoesNotBlockTheCommand() async throws {
        let fixture = try ExecFixture()
        let counting = try await Binary.start(
            [
                "-c", "\"$HUBSEND\" hub exec -- head -c 3000000 /dev/zero | wc -c",
            ], of: "/bin/sh", in: fixture.workspace, environment: fixture.environment())
        let result = try await counting.result()
        #expect(result.output.trimmingCharacters(in: .whitespacesAndNewlines) == "3000000")
        #expect(result.complaints.isEmpty)
    }

    @Test("Nobody else has access to the temporary folder")
    func nobodyElseHasAccessToTheTemporaryFolder() async throws {
        let fixture = try ExecFixture()
        let result = try await fixture.run([
            "sh", "-c",
            "cd \"$(dirname \"$HUBSEND_STORE\")\" && stat -c '%a %F' . reports && ls -I ca.pem",
        ])
        #expect(result.output == "700 directory\n700 directory\nlock\nreports\n")
    }

    @Test("Signals that were ignored stay ignored")
    func signalsThatWereIgnoredStayIgnored() async throws {
        let fixture = try ExecFixture()
        let result = try await Binary.start(
            [
                "-c",
                """
                trap '' HUP
                exec "$HUBSEND" hub exec -- sh -c 'kill -HUP $$; echo "$0 $1"' 'a  word' 'it'"'"'s'
                """,
            ], of: "/bin/sh", in: fixture.workspace, environment: fixture.environment()
        ).result()
        #expect(result.output == "a  word it's\n")
        #expect(result.status == 0)
    }

    @Test("A program sees the name by which it was started")
    func programSeesTheNameByWhichItWasStarted() async throws {
        let fixture = try ExecFixture()
        let result = try await fixture.run(["cat", "/proc/self/cmdline"])
        #expect(result.output == "cat\0/proc/self/cmdline\0")
    }

    @Test("Two hubs at the same time share nothing")
    func twoHubsAtTheSameTimeShareNothing() async throws {
        let fixture = try ExecFixture()
        let script = "echo $HUBSEND_HUB_URL $HUBSEND_STORE; exec sleep 600"
        let first = try await fixture.start(script)
        let second = try await fixture.start(script)
        #expect(first.words[0] != second.words[0])
        #expect(first.words[1] != second.words[1])
        #expect(try fixture.folders().count == 2)
        first.running.signal(SIGTERM)
        #expect(try await first.running.result().status == 143)
        let left = try fixture.folders()
        #expect(left.count == 1 && second.words[1].contains(left[0]))
        let url = try #require(URL(string: second.words[0] + "/.hubsend/devices/alice"))
        let seen = String(decoding: try await URLSession.shared.data(from: url).0, as: UTF8.self)
        #expect(seen.contains("\"alice\""))
        second.running.signal(SIGTERM)
        #expect(try await second.running.result().status == 143)
        #expect(try fixture.folders().isEmpty)
    }
}
