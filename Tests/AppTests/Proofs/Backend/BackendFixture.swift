import Foundation
import FoundationNetworking
import TestSupport
import Testing

/// A running `hubsend hub` and a running `hubsend serve`, with users who can sign in.
final class BackendFixture: Sendable {
    struct Answer: Sendable {
        let status: Int
        let body: Data
        let headers: [String: String]
    }

    /// bcrypt of `<name>-secret`.
    static let users = """
        alice:$2b$10$/FdDZ/KTLjOXfsgpWwX10Ojfxdp8kq3QLbEa4PFNKIUvMDSE748tG
        bob:$2b$10$nPHydsrboVFkCP4YOdaPXeZzJ7lopLX6zd9rrAkQOThU37xIDYtsG
        carol:$2b$10$7JuhfhEsyeOPTFC8FVHYSOH2DELZHQLWYzG48ttMtvIfQ1qkTOjOC
        dave:$2b$10$Mihbkm/VPtVmX.y5nbC2b.j3CJM9k7r7lp39382X9rWxNCRBjCYZS

        """

    let workspace: Workspace
    let hub: ChildProcess
    let serve: ChildProcess
    let url: String
    /// The environment that makes every command use the hub.
    let environment: [String: String]

    /// Starts both; returns when they are ready.
    ///
    /// - Parameters:
    ///   - files: added to the standard files.
    ///   - backend: more settings of `serve`.
    static func start(
        _ files: [String: String], backend: String = ""
    ) async throws -> BackendFixture {
        let settings = "listen: \"127.0.0.1:0\", users: users.htpasswd, \(backend)"
        let own = [
            "hubsend.yaml": "backend: { \(settings) }\n",
            "users.htpasswd": users,
        ]
        let workspace = try Workspace(files.merging(own) { $1 })
        let hub = try await RunningHub.start(in: workspace)
        return try await BackendFixture(workspace, hub.process, hub.environment)
    }

    private init(
        _ workspace: Workspace, _ hub: ChildProcess, _ environment: [String: String]
    ) async throws {
        self.workspace = workspace
        self.hub = hub
        self.environment = environment
        serve = try await Binary.start(
            ["serve", "--json"], in: workspace, environment: environment)
        let address = try JSONDecoder().decode(
            [String: String].self, from: Data(try await serve.firstLine().utf8))
        url = try #require(address["url"])
    }

    /// Restarts `serve` on the same store.
    func again() async throws -> BackendFixture {
        try await BackendFixture(workspace, hub, environment)
    }

    func run(_ arguments: [String], status: Int32? = nil) async throws -> ChildProcess.Result {
        try await Binary.run(arguments, in: workspace, environment: environment, status: status)
    }

    /// Starts a device that ends after `messages` notifications, and waits until it listens.
    func device(
        of user: String, on platform: String, messages: Int
    ) async throws -> ChildProcess {
        let device = try await Binary.start(
            [
                "device", "--user", user, "--platform", platform, "--messages", "\(messages)",
                "--save", "saved-\(user)", "--json",
            ], in: workspace,
            environment: environment.merging([
                "HUBSEND_BACKEND": url, "HUBSEND_DEVICE_PASSWORD": "\(user)-secret",
            ]) { $1 })
        _ = try await device.firstLine()
        return device
    }

    func ask(_ method: String, _ path: String, as user: String) async throws -> Answer {
        var request = URLRequest(url: try #require(URL(string: url + path)))
        request.httpMethod = method
        let credential = Data("\(user):\(user)-secret".utf8).base64EncodedString()
        request.setValue("Basic \(credential)", forHTTPHeaderField: "Authorization")
        let (body, response) = try await URLSession.shared.data(for: request)
        let answer = try #require(response as? HTTPURLResponse)
        var headers: [String: String] = [:]
        for (name, value) in answer.allHeaderFields {
            headers["\(name)".lowercased()] = "\(value)"
        }
        return Answer(status: answer.statusCode, body: body, headers: headers)
    }

    /// Ends both as a service manager would; returns how `serve` ended.
    func stop() async throws -> ChildProcess.Result {
        serve.signal(SIGTERM)
        let result = try await serve.result()
        hub.signal(SIGTERM)
        _ = try await hub.result()
        return result
    }
}
