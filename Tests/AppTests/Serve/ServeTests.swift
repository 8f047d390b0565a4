import Foundation
import TestSupport
import Testing

/// Tests that if `hubsend serve` cannot start, it prints a message, exits with 2 and leaves no
/// files behind.
@Suite(.bounded) struct ServeTests {
    private static let hub = [
        "HUBSEND_HUB_CONNECTION_STRING":
            "Endpoint=http://127.0.0.1:1/;SharedAccessKeyName=Send;SharedAccessKey=c2VjcmV0",
        "HUBSEND_HUB_NAME": "news",
    ]

    private static let hash = "$2b$10$/FdDZ/KTLjOXfsgpWwX10Ojfxdp8kq3QLbEa4PFNKIUvMDSE748tG"

    @Test(
        "A wrong setting is explained, and the exit code is 2",
        arguments: [
            ("backend: { senders: [ops] }\n", [:], "Nobody could sign in"),
            ("backend: { users: none }\n", [:], "none"),
            ("backend: { users: users }\n", ["users": "alice:secret\n"], "line 1"),
            ("backend: { users: users }\n", ["users": "alice:$apr1$x$y\n"], "htpasswd -B"),
            (
                "backend: { users: users, listen: nowhere }\n", ["users": "alice:\(hash)\n"],
                "listen"
            ),
            (
                "backend: { users: users, listen: \"0.0.0.0:0\" }\n", ["users": "alice:\(hash)\n"],
                "without TLS"
            ),
            ("backend: { users: users, lisen: x }\n", ["users": "alice:\(hash)\n"], "lisen"),
        ])
    func wrongSettingIsExplainedAndTheExitCodeIs2(
        config: String, files: [String: String], words: String
    ) async throws {
        let workspace = try Workspace(files.merging(["hubsend.yaml": config]) { $1 })
        let result = try await Binary.run(
            ["serve"], in: workspace, environment: Self.hub, status: 2)
        #expect(result.complaints.contains(words), "\(result.complaints)")
        #expect(!result.complaints.contains("secret"))
        #expect(!result.complaints.contains("warning"))
        let hasStore = try workspace.listing().contains { $0.hasPrefix(".hubsend") }
        #expect(words != "line 1" || !hasStore)
    }

    @Test("A wrong payload key is detected at startup")
    func wrongPayloadKeyIsDetectedAtStartup() async throws {
        let workspace = try await SentFiles.notice()
        try workspace.write("alice:\(Self.hash)\n", to: "users")
        let key = Data(repeating: 7, count: 32).base64EncodedString()
        let result = try await Binary.run(
            ["serve", "--users", "users"], in: workspace,
            environment: Self.hub.merging(["HUBSEND_PAYLOAD_KEY": key]) { $1 }, status: 2)
        #expect(result.complaints.contains("key"), "\(result.complaints)")
        #expect(!result.complaints.contains(key))
    }

    @Test("The backend ends when its store is replaced")
    func backendEndsWhenItsStoreIsReplaced() async throws {
        let workspace = try Workspace(["users": "alice:\(Self.hash)\n"])
        let serve = try await Binary.start(
            ["serve", "--users", "users", "--listen", "127.0.0.1:0", "--json"], in: workspace,
            environment: Self.hub)
        _ = try await serve.firstLine()
        try FileManager.default.moveItem(
            atPath: workspace.file(".hubsend/store.sqlite"), toPath: workspace.file("old.sqlite"))
        try workspace.write("", to: ".hubsend/store.sqlite")
        let result = try await serve.end(2)
        #expect(result.complaints.contains("replaced, moved or deleted"), "\(result.complaints)")
    }

    @Test("The backend refuses a hub that exists only within one command")
    func backendRefusesAHubThatExistsOnlyWithinOneCommand() async throws {
        let workspace = try Workspace(["users": "alice:\(Self.hash)\n"])
        let result = try await Binary.run(["serve", "--users", "users"], in: workspace, status: 2)
        #expect(result.complaints.contains("hubsend hub"), "\(result.complaints)")
    }
}
