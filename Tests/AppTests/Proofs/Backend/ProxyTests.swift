import Foundation
import TestSupport
import Testing

/// Tests `hubsend serve` behind nginx and HAProxy, with the settings in hubsend-serve(8).
@Suite(.bounded, .enabled(if: InstalledTool.areThere("nginx", "haproxy", "curl", "openssl")))
struct ProxyTests {
    private static let files = [
        "picture.yaml": """
        campaign: picture
        kind: rich
        platforms: [apns]
        audience: { usernames: [alice] }
        payload: { message: "Look!", type: img, file: picture.png }
        """
    ]
    /// The signature of a PNG, and bytes that can be compressed.
    private static let picture =
        Data([0x89]) + Data("PNG\r\n\u{1A}\n".utf8) + Data(repeating: 7, count: 2_000)
    private static let host = "push.example.com:18443"
    private static let client = "127.9.9.9"

    @Test("A client gets through nginx as the manual configures it")
    func clientGetsThroughNginxAsTheManualConfiguresIt() async throws {
        try await expectWay(through: "nginx") { workspace, url, address in
            let server = try Self.example("server {")
                .replacing("listen 443", with: "listen \(address):18443")
                .replacing("/etc/ssl/push.example.com.pem", with: workspace.file("pair.pem"))
                .replacing("/etc/ssl/push.example.com.key", with: workspace.file("pair.pem"))
                .replacing("http://127.0.0.1:8080", with: url)
            let folders = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
                .map { "\($0)_temp_path \(workspace.file($0));" }.joined(separator: "\n")
            try workspace.write(
                """
                daemon off; master_process off; pid \(workspace.file("nginx.pid"));
                error_log stderr;
                events {}
                http {
                    access_log off; \(folders)
                    gzip on; gzip_proxied any; gzip_types *; gzip_min_length 1;
                    \(server)
                }
                """, to: "nginx.conf")
            return ["-p", workspace.path, "-e", "stderr", "-c", workspace.file("nginx.conf")]
        }
    }

    @Test("A client gets through HAProxy as the manual configures it")
    func clientGetsThroughHAProxyAsTheManualConfiguresIt() async throws {
        try await expectWay(through: "haproxy") { workspace, url, address in
            try workspace.write(
                try Self.example("defaults\n    mode http")
                    .replacing("bind :443", with: "bind \(address):18443")
                    .replacing(
                        "/etc/haproxy/push.example.com.pem", with: workspace.file("pair.pem")
                    )
                    .replacing("127.0.0.1:8080", with: url.replacing("http://", with: ""))
                    + "\n", to: "haproxy.cfg")
            return ["-db", "-f", workspace.file("haproxy.cfg")]
        }
    }

    /// An example copied from hubsend-serve(8).
    private static func example(_ beginning: String) throws -> String {
        let page = URL(fileURLWithPath: #filePath)
            .appendingPathComponent("../../../../../man/hubsend-serve.8").standardizedFileURL
        let text = try String(contentsOf: page, encoding: .utf8)
        let start = try #require(text.range(of: "\n\(beginning)")).lowerBound
        let end = try #require(text.range(of: "\n.Ed", range: start..<text.endIndex)).lowerBound
        return String(text[start..<end])
    }

    /// Fetches over HTTP/1.1 and HTTP/2.
    ///
    /// - Parameter setUp: writes the proxy's config, and returns the arguments that name it.
    private func expectWay(
        through proxy: String,
        setUp: (_ workspace: Workspace, _ url: String, _ address: String) throws -> [String]
    ) async throws {
        let backend = try await BackendFixture.start(
            Self.files, backend: "proxies: [127.0.0.1], origins: [\"capacitor://localhost\"]")
        let workspace = backend.workspace
        try workspace.write(Self.picture, to: "picture.png")
        _ = try await backend.run(["run", "picture.yaml"], status: 0)
        try await ChildProcess.start(
            try #require(InstalledTool.path(of: "openssl")),
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
                "-subj", "/CN=push.example.com", "-keyout", workspace.file("key.pem"), "-out",
                workspace.file("chain.pem"),
            ]
        ).end(0)
        let pair = try ["chain.pem", "key.pem"].map {
            try String(contentsOfFile: workspace.file($0), encoding: .utf8)
        }
        try workspace.write(pair.joined(), to: "pair.pem")
        // An address that only this test uses, so that its port is free.
        let address =
            "127."
            + (1...3).map { _ in "\(Int.random(in: 2...250))" }
            .joined(separator: ".")
        let front = try await ChildProcess.start(
            try #require(InstalledTool.path(of: proxy)),
            try setUp(workspace, backend.url, address), in: workspace.path)
        for version in ["1.1", "2"] {
            try await expectWay(to: address, version, isCompressing: proxy == "nginx")
        }
        front.signal(SIGTERM)
        _ = try await front.result()
        _ = try await backend.stop()
        let audit = try String(
            contentsOfFile: workspace.file(".hubsend/audit.jsonl"), encoding: .utf8)
        #expect(audit.contains("\"from\":\"\(Self.client)\",\"outcome\":\"ok\""))
        #expect(audit.contains(#"\"https://evil.example\" and is not listed in backend.origins; "#))
        #expect(audit.contains(#"this server's origin is \"https://\#(Self.host)\""#), "\(audit)")
    }

    private func expectWay(
        to address: String, _ version: String, isCompressing: Bool
    ) async throws {
        func ask(_ path: String, _ arguments: String...) async throws -> String {
            let result = try await ChildProcess.start(
                try #require(InstalledTool.path(of: "curl")),
                [
                    "-sSik", version == "2" ? "--http2" : "--http1.1", "--interface", Self.client,
                    "--resolve", "\(Self.host):\(address)", "--retry", "60", "--retry-delay", "1",
                    "--retry-connrefused", "-u", "alice:alice-secret",
                    "https://\(Self.host)\(path)",
                ] + arguments
            ).result()
            #expect(result.output.hasPrefix("HTTP/\(version) "), "\(result)")
            return result.output.replacing("\r\n", with: "\n")
                .replacing("HTTP/\(version) ", with: "", maxReplacements: 1)
        }
        let list = try await ask("/api/notifications")
        let id = try #require(list.firstMatch(of: /"Id":"([^"]+)"/)?.1, "\(list)")
        let path = "/api/notifications/\(id)"

        let picture = try await ask(path, "-H", "Accept-Encoding: gzip")
        #expect(picture.hasPrefix("200"))
        let tag = try #require(picture.firstMatch(of: /(?i)\netag: (.+)/)?.1, "\(picture)")
        #expect(tag.hasPrefix("W/") == isCompressing)
        #expect(try await ask(path, "-H", "If-None-Match: \(tag)").hasPrefix("304"))

        let register = "/api/register"
        for origin in ["https://\(Self.host)", "capacitor://localhost"] {
            let answer = try await ask(register, "-X", "POST", "-H", "Origin: \(origin)")
            #expect(answer.hasPrefix("200"))
            #expect(
                answer.lowercased().contains("access-control-allow-origin: \(origin)")
                    == origin.hasPrefix("capacitor"))
        }
        let evil = try await ask(register, "-X", "POST", "-H", "Origin: https://evil.example")
        #expect(evil.hasPrefix("403"))
        let question = try await ask(
            register, "-X", "OPTIONS", "-H", "Origin: capacitor://localhost", "-H",
            "Access-Control-Request-Method: POST")
        #expect(question.hasPrefix("204"))
        // The server ignores the address that the client itself sends.
        let liar = try await ask(
            "/api/notifications", "-H", "X-Forwarded-For: <script>", "-H", "Forwarded: for=\"",
            "-H", "X-Forwarded-Proto: http")
        #expect(liar.hasPrefix("200"))
    }
}
