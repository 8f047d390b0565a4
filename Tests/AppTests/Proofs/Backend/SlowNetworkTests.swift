import CampaignCore
import Foundation
import SQLiteDriver
import Storage
import TestSupport
import Testing

/// Tests `hubsend serve` with tiny socket buffers, which behave like a connection to a distant
/// client.
///
/// On one machine, the system buffers megabytes, which hides that a server has not sent everything.
@Suite(.apart) struct SlowNetworkTests {
    private static let campaign = """
        campaign: big
        kind: rich
        platforms: [apns]
        audience: { usernames: [alice] }
        payload: { message: "Look!", type: img, file: big.png }
        """

    /// Starts the backend in its own network, and fetches the notification in argument 1.
    private static let beginning = """
        import atexit, base64, fcntl, json, os, signal, socket, struct, subprocess, sys, time

        # A network of its own: its interface has to be brought up (netdevice(7)).
        with socket.socket() as any_socket:
            fcntl.ioctl(any_socket, 0x8914, struct.pack("16sH14s", b"lo", 0x41, b""))
        for name in "tcp_wmem", "tcp_rmem":
            with open(f"/proc/sys/net/ipv4/{name}", "w") as setting:
                setting.write("4096 16384 16384")

        serve = subprocess.Popen(
            [os.environ["HUBSEND"], "serve", "--json"], stdout=subprocess.PIPE)
        atexit.register(serve.kill)
        port = int(json.loads(serve.stdout.readline())["url"].rsplit(":", 1)[1])
        credential = base64.b64encode(b"alice:alice-secret").decode()

        def ask(path):
            connection = socket.create_connection(("127.0.0.1", port))
            connection.sendall(
                f"GET {path} HTTP/1.1\\r\\nHost: a\\r\\n"
                f"Authorization: Basic {credential}\\r\\n\\r\\n".encode())
            return connection, connection.recv(1024)

        def body():
            return answer.partition(b"\\r\\n\\r\\n")[2]

        reader, answer = ask(f"/api/notifications/{sys.argv[1]}")

        """

    /// Stops the backend while its response is read; prints the bytes received and the exit code.
    private static let stop = """
        idle, _ = ask("/health")
        serve.send_signal(signal.SIGTERM)
        if idle.recv(1024):
            sys.exit("an idle connection does not tell that the stop has begun")
        try:
            ask("/health")
            sys.exit("a request was taken after the stop had begun")
        except ConnectionRefusedError:
            pass
        while piece := reader.recv(1024):
            answer += piece
        print(len(body()), serve.wait())

        """

    /// Reads a steady 80,000 bytes a second, then stops the backend; prints the bytes received and
    /// the exit code.
    private static let pace = """
        begin = time.monotonic()
        length = int(answer.lower().partition(b"content-length: ")[2].partition(b"\\r")[0])
        count = len(body())
        while count < length and (piece := reader.recv(8000)):
            count += len(piece)
            time.sleep(max(0, count / 80_000 - (time.monotonic() - begin)))
        serve.send_signal(signal.SIGTERM)
        print(count, serve.wait())

        """

    @Test(
        "A client that is reading when the server stops gets the whole response",
        .enabled("This system allows no network namespaces.") {
            try await NetworkNamespace.isAllowed()
        })
    func clientThatIsReadingWhenTheServerStopsGetsTheWholeResponse() async throws {
        try await expectWhole(1 << 18, Self.stop)
    }

    /// This takes longer than thirty seconds, the time for which a client may pause reading.
    @Test(
        "A client that reads slowly but steadily gets the whole response",
        .enabled("This system allows no network namespaces.") {
            try await NetworkNamespace.isAllowed()
        })
    func clientThatReadsSlowlyButSteadilyGetsTheWholeResponse() async throws {
        try await expectWhole(3_000_000, Self.pace)
    }

    /// Runs a script that fetches a payload of the given size completely, and checks what was
    /// recorded.
    private func expectWhole(_ byteCount: Int, _ script: String) async throws {
        let workspace = try Workspace([
            "hubsend.yaml": "backend: { listen: \"127.0.0.1:0\", users: users.htpasswd }\n",
            "users.htpasswd": BackendFixture.users, "big.yaml": Self.campaign,
            "slow.py": Self.beginning + script,
        ])
        try workspace.write(Data(repeating: 7, count: byteCount), to: "big.png")
        try await HubFixture.run(people: ["alice"]) { environment, _ in
            try await Binary.run(
                ["run", "big.yaml"], in: workspace, environment: environment, status: 0)
            try await expectWhole(byteCount, in: workspace, environment)
        }
    }

    private func expectWhole(
        _ byteCount: Int, in workspace: Workspace, _ environment: [String: String]
    ) async throws {
        let id = try #require(try workspace.outcomeRows(of: "big").first).notification
        let result = try await Binary.start(
            [
                "--map-root-user", "--net", try #require(InstalledTool.path(of: "python3")),
                "slow.py", id,
            ], of: try #require(InstalledTool.path(of: "unshare")), in: workspace,
            environment: environment.merging(["HUBSEND": Binary.path]) { $1 }
        ).end(0)
        #expect(result.output == "\(byteCount) 0\n")
        let audit = try workspace.text(".hubsend/audit.jsonl").split(separator: "\n")
        #expect(audit.last?.contains(#""action":"fetch""#) == true)
        #expect(audit.last?.contains(#""outcome":"ok""#) == true)
        let store = try SQLiteStore.openForReading(at: workspace.file(".hubsend/store.sqlite"))
        let record = try #require(await store.runs(campaign: nil, limit: 1).first)
        let rows = try await store.reportPage(record.id, after: 0, recipients: 1).rows
        try store.close()
        #expect(rows.map { $0.fetchedAt != nil } == [true])
    }
}

/// A network for one process, made by `unshare`.
private enum NetworkNamespace {
    /// Whether this system allows such a network; if `CI` is set, the system is required to allow
    /// it.
    static func isAllowed() async throws -> Bool {
        guard !InstalledTool.mayNotBeLeftOut else { return true }
        guard InstalledTool.areThere("python3"), let unshare = InstalledTool.path(of: "unshare")
        else { return false }
        return try await ChildProcess.start(unshare, ["--map-root-user", "--net", "true"])
            .result().status == 0
    }
}
